import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import type { Results } from '../../../core/contract/endpoint.ts'
import type { DeptNode } from '../../../core/contract/user/dept.ts'
import { people } from '../../../core/contract/user/people.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { RefusedRows } from '../../../core/engine/form/refused-rows.tsx'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { Button, Callout, Checkbox, Flex, Text } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Loaded } from '../../shared/loaded.tsx'

type Person = { userNo: string; realName: string; jobNo: string | null }

/** The people of the department, each with a box. */
const Choice = ({
  list,
  chosen,
  choose,
}: {
  list: readonly Person[]
  chosen: ReadonlySet<string>
  choose: (next: ReadonlySet<string>) => void
}) => {
  const t = useText()
  const all = list.every(one => chosen.has(one.userNo))
  const toggle = (userNo: string) =>
    choose(new Set(chosen.has(userNo) ? [...chosen].filter(no => no !== userNo) : [...chosen, userNo]))
  if (list.length === 0) return <Text color="gray">{t('dept.noPeople')}</Text>
  return (
    <fieldset className="mk-choices">
      <legend>{t('dept.choosePeople')}</legend>
      <Text as="label" size="2">
        <Flex gap="2" align="center">
          <Checkbox checked={all} onCheckedChange={() => choose(new Set(all ? [] : list.map(one => one.userNo)))} />
          {t('common.choosePage')}
        </Flex>
      </Text>
      {list.map(one => (
        <Text as="label" size="2" key={one.userNo}>
          <Flex gap="2" align="center">
            <Checkbox checked={chosen.has(one.userNo)} onCheckedChange={() => toggle(one.userNo)} />
            {one.realName}
            <Text color="gray">{one.jobNo ?? one.userNo}</Text>
          </Flex>
        </Text>
      ))}
    </fieldset>
  )
}

/** Moves people of a department to another one, each answered for. */
export const MovePeopleDialog = ({ rows: [row], close }: DialogProps<DeptNode>) => {
  const t = useText()
  const { send, busy } = useCommand()
  const read = useRead(people.page, { deptAt: row.deptNo, pageSize: 100 })
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set())
  const [deptNo, setDept] = useState<string>()
  const [note, setNote] = useState<string>()
  const [refused, setRefused] = useState<Results | null>(null)
  const move = async () => {
    if (!deptNo) return
    setNote(undefined)
    const userNos = [...chosen]
    const outcome = await send(people.batchUpdate, { userNos, deptNo }, { ids: userNos })
    if (outcome.is === 'refused') return setNote(outcome.error.message)
    if (outcome.is === 'unanswered') return setNote(t('common.noAnswer'))
    if (outcome.answer.fail) setRefused(outcome.answer)
    else close(true)
  }
  if (refused) return <RefusedRows results={refused} close={() => close(true)} />
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t('dept.movePeople')}
      description={row.deptName}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} disabled={!deptNo || chosen.size === 0} onClick={() => void move()}>
            {t('common.actionOn', { action: t('dept.move'), n: chosen.size })}
          </Button>
        </>
      }
    >
      <Loaded read={read}>
        {({ list }) => (
          <>
            <Choice list={list} chosen={chosen} choose={choose} />
            <Field
              name="deptNo"
              label={t('fields.deptName')}
              schema={people.batchUpdate.input.shape.deptNo}
              value={deptNo}
              onChange={value => setDept((value as string | undefined) || undefined)}
            />
          </>
        )}
      </Loaded>
      {note && (
        <Callout.Root color="amber" size="1" role="alert">
          <Callout.Text>{note}</Callout.Text>
        </Callout.Root>
      )}
    </ModalDialog>
  )
}
