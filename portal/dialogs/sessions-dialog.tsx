import { refresh, useRead } from '../../core/client/providers.tsx'
import type { OutputOf } from '../../core/contract/endpoint.ts'
import { session } from '../../core/contract/user/session.ts'
import { useText } from '../../core/element/i18n.ts'
import { useCommand } from '../../core/engine/form/use-command.ts'
import { browserName } from '../../core/rules/text/browser-name.ts'
import { eatDateTime } from '../../core/rules/time.ts'
import { Badge, Button } from '../../core/ui/basics.ts'
import { Table } from '../../core/ui/more.ts'
import { ModalDialog } from '../../core/ui/overlay/modal-dialog.tsx'
import { ReadState } from './read-state.tsx'

const Places = ({ list }: { list: OutputOf<typeof session.mine>['list'] }) => {
  const t = useText()
  return (
    <Table.Root size="1" aria-label={t('shell.sessions')}>
      <Table.Header>
        <Table.Row>
          {(['browser', 'ip', 'createdTime', 'lastSeenTime'] as const).map(name => (
            <Table.ColumnHeaderCell key={name}>{t(`fields.${name}`)}</Table.ColumnHeaderCell>
          ))}
        </Table.Row>
      </Table.Header>
      <Table.Body>
        {list.map(row => (
          <Table.Row key={`${row.createdTime} ${row.ip} ${row.current}`}>
            <Table.RowHeaderCell title={row.browser ?? undefined}>
              {browserName(row.browser) ?? '-'}
              {row.current && (
                <Badge size="1" ml="2">
                  {t('fields.current')}
                </Badge>
              )}
            </Table.RowHeaderCell>
            <Table.Cell>{row.ip ?? '-'}</Table.Cell>
            <Table.Cell>{eatDateTime(row.createdTime)}</Table.Cell>
            <Table.Cell>{eatDateTime(row.lastSeenTime)}</Table.Cell>
          </Table.Row>
        ))}
      </Table.Body>
    </Table.Root>
  )
}

/** Where somebody is signed in with their account, and the way to end all of it but this place. */
export const SessionsDialog = ({ close }: { close: () => void }) => {
  const t = useText()
  const read = useRead(session.mine, {}, { background: true, revalidateOnMount: true })
  const { send, busy } = useCommand()
  const others = (read.data?.list.length ?? 0) - 1
  const revoke = async () => {
    const outcome = await send(
      session.revokeOthers,
      {},
      { done: ({ ended }) => t('shell.sessionsEnded', { n: ended }) },
    )
    if (outcome.is === 'done') refresh(session.mine)
  }
  return (
    <ModalDialog
      open
      onClose={close}
      title={t('shell.sessions')}
      description={t('shell.sessionsHint')}
      footer={
        <>
          <Button
            color="red"
            variant="soft"
            mr="auto"
            disabled={others < 1}
            loading={busy}
            onClick={() => void revoke()}
          >
            {t('shell.revokeOthers')}
          </Button>
          <Button variant="soft" color="gray" onClick={close}>
            {t('common.close')}
          </Button>
        </>
      }
    >
      <ReadState read={read}>{({ list }) => <Places list={list} />}</ReadState>
    </ModalDialog>
  )
}
