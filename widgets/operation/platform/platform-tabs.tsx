import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import type { ConfigRow } from '../../../core/contract/config.ts'
import { platform, type platforms } from '../../../core/contract/supermarket/platform.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Exports } from '../../../core/engine/files/exports.tsx'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import type { DialogProps, Listed } from '../../../core/engine/screen.ts'
import { drawn } from '../../../core/engine/table/columns.ts'
import { addDays, eatDate } from '../../../core/rules/time.ts'
import { Button, Callout, Flex, Text } from '../../../core/ui/basics.ts'
import { CopyIcon } from '../../../core/ui/copy-icon.tsx'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

type Row = ConfigRow<typeof platforms>

const { postbacks } = platform
const reported = [
  'receivedTime',
  'marketEvent',
  'postbackResult',
  'marketProductName',
  'clickId',
  'amount',
  'revenueAmount',
  'deliveries',
] as const

/** What the partner reported, and what of it was refused; written to a file for the settlement. */
export const PostbacksTab = ({ row }: { row: Row }) => {
  const t = useText()
  const filters = { platformNo: row.platformNo }
  const { data } = useRead(postbacks, filters, { background: true })
  return (
    <>
      <Flex gap="2" justify="end" mb="2">
        <Exports
          list={postbacks as unknown as Listed}
          command={postbacks.exporting as NonNullable<Listed['exporting']>}
          columns={drawn(t, postbacks as unknown as Listed, reported)}
          state={{ filters, sort: '-receivedTime', pageNum: 1, pageSize: 20 }}
          total={data?.total}
        />
      </Flex>
      <PagedTable
        list={postbacks}
        filters={filters}
        size={10}
        batch={50}
        rowKey="postbackNo"
        names={reported}
        empty={t('platform.noPostbacks')}
      />
    </>
  )
}

/** What the platform brought and owes us, by month. */
export const SettlementTab = ({ row }: { row: Row }) => {
  const t = useText()
  const to = eatDate(new Date())
  const read = useRead(platform.stat, { platformNo: row.platformNo, fromDate: addDays(to, -180), toDate: to })
  return (
    <Loaded read={read}>
      {({ list }) => (
        <SmallTable
          schema={platform.stat.output.shape.list.element}
          rows={list}
          rowKey="month"
          names={['month', 'clickCount', 'applyCount', 'paidOutCount', 'payoutAmount', 'revenueAmount', 'perClick']}
          empty={t('platform.noPostbacks')}
        />
      )}
    </Loaded>
  )
}

/** Where customers would be sent, with the number of a click that stands for none. */
export const LinksTab = ({ row }: { row: Row }) => {
  const t = useText()
  return (
    <Loaded read={useRead(platform.links, { platformNo: row.platformNo })}>
      {({ list }) => (
        <SmallTable
          schema={platform.links.output.shape.list.element}
          rows={list}
          rowKey="marketProductNo"
          names={['marketProductName', 'targetLink']}
          empty={t('platform.noProducts')}
          cells={{
            targetLink: one => (
              <a className="mk-link" href={one.targetLink} target="_blank" rel="noopener noreferrer">
                {one.targetLink}
              </a>
            ),
          }}
        />
      )}
    </Loaded>
  )
}

/** Makes the key that the partner signs with, and shows it this once. */
export const KeyDialog = ({ rows: [row], close }: DialogProps<Row>) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [made, setMade] = useState<string | null>(null)
  const [note, setNote] = useState<string | null>(null)
  const rotate = async () => {
    const input = { platformNo: row.platformNo, version: row.version }
    const outcome = await send(platform.rotateKey, input, { ids: [row.platformNo], done: () => t('config.saved') })
    if (outcome.is === 'done') return setMade(outcome.answer.postbackKey)
    setNote(outcome.is === 'unanswered' ? t('common.noAnswer') : outcome.error.message)
  }
  return (
    <ModalDialog
      open
      onClose={() => close(made !== null)}
      title={t('platform.rotateKey')}
      footer={
        <>
          <DialogCancel />
          {made === null && (
            <Button loading={busy} onClick={() => void rotate()}>
              {t('platform.rotateKey')}
            </Button>
          )}
        </>
      }
    >
      {made === null ? (
        <Text as="p" size="2">
          {t(row.keyTime ? 'platform.rotateHint' : 'platform.firstKeyHint', { platformName: row.platformName })}
        </Text>
      ) : (
        <>
          <Text as="p" size="2">
            {t('platform.keyOnce')}
          </Text>
          <span className="mk-key">
            {made}
            <CopyIcon value={made} />
          </span>
        </>
      )}
      {note && (
        <Callout.Root color="amber" size="1" role="alert">
          <Callout.Text>{note}</Callout.Text>
        </Callout.Root>
      )}
    </ModalDialog>
  )
}
