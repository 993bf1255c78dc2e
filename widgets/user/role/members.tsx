import { useState } from 'react'
import { useMay, useRead } from '../../../core/client/providers.tsx'
import { type RoleRow, role } from '../../../core/contract/user/role.ts'
import { useText } from '../../../core/element/i18n.ts'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import { Button, Callout, Flex, Text, TextField } from '../../../core/ui/basics.ts'
import { PagedTable } from '../../shared/paged-table.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

type Given = { row: RoleRow; reload: () => void }
const columns = ['userNo', 'realName', 'deptName'] as const

/** People found by the beginning of their name, each with a button that gives them the role. */
const Candidates = ({ row, add, busy }: { row: RoleRow; add: (userNo: string) => void; busy: boolean }) => {
  const t = useText()
  const [text, setText] = useState('')
  const { data } = useRead(role.candidates, text.trim() ? { roleNo: row.roleNo, text } : null, { background: true })
  return (
    <>
      <TextField.Root
        size="2"
        mb="2"
        type="search"
        value={text}
        aria-label={t('role.findPerson')}
        placeholder={t('role.findPerson')}
        onChange={event => setText(event.target.value)}
      />
      {data && text.trim() && (
        <SmallTable
          schema={role.candidates.output.shape.list.element}
          rows={data.list}
          rowKey="userNo"
          names={[...columns, 'act']}
          headers={{ act: '' }}
          cells={{
            act: one => (
              <Button size="1" variant="soft" disabled={busy} onClick={() => add(one.userNo)}>
                {t('role.addMember')}
              </Button>
            ),
          }}
          empty={t('common.noMatch')}
          label={t('role.findPerson')}
        />
      )}
    </>
  )
}

/** Who has the role; people are given it, or lose it, here. */
export const Members = ({ row, reload }: Given) => {
  const t = useText()
  const may = useMay().call(role.addMembers)
  const { send, busy } = useCommand()
  const [note, setNote] = useState<string | null>(null)
  const change = async (call: typeof role.addMembers | typeof role.removeMembers, userNo: string) => {
    setNote(null)
    const outcome = await send(
      call as typeof role.addMembers,
      { roleNo: row.roleNo, version: row.version, userNos: [userNo] },
      { ids: [userNo], done: answer => t(answer.approvalNo ? 'role.sent' : 'role.saved') },
    )
    if (outcome.is === 'refused') setNote(outcome.error.message)
    if (outcome.is === 'unanswered') setNote(t('common.noAnswer'))
    reload()
  }
  return (
    <>
      {may && <Candidates row={row} busy={busy} add={userNo => void change(role.addMembers, userNo)} />}
      {note && (
        <Callout.Root color="amber" size="1" role="alert" mb="2">
          <Callout.Text>{note}</Callout.Text>
        </Callout.Root>
      )}
      <Flex direction="column" gap="2" mt="3">
        <Text size="2" color="gray">
          {t('role.memberHint', { n: row.memberCount })}
        </Text>
        <PagedTable
          key={row.version}
          list={role.members}
          filters={{ roleNo: row.roleNo }}
          size={10}
          batch={50}
          rowKey="userNo"
          names={[...columns, 'loginId', ...(may ? ['act'] : [])]}
          headers={{ act: '' }}
          cells={{
            act: one => (
              <Button
                size="1"
                variant="soft"
                color="red"
                disabled={busy}
                onClick={() => void change(role.removeMembers, String(one.userNo))}
              >
                {t('role.removeMember')}
              </Button>
            ),
          }}
          empty={t('role.noMembers')}
          label={t('role.members')}
        />
      </Flex>
    </>
  )
}
