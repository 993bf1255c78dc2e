import { useState } from 'react'
import { errorsAt } from '../../../core/client/errors.ts'
import { useRead } from '../../../core/client/providers.tsx'
import { type DeptNode, dept } from '../../../core/contract/user/dept.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { isStale, useCommand } from '../../../core/engine/form/use-command.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import type { MoveProps } from '../../../core/engine/tree/tree-types.ts'
import { flat } from '../../../core/rules/tree.ts'
import { Button, Callout, Text } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'

type Props = { row: DeptNode; start: string | undefined; close: (changed?: boolean) => void }

/** Sends the move; what the server refuses is said. */
const useMove = ({ row: { deptNo, version }, close }: Props, parentNo: string | undefined) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [error, setError] = useState<string>()
  const move = async () => {
    setError(undefined)
    const outcome = await send(
      dept.move,
      { deptNo, version, ...(parentNo ? { parentNo } : {}) },
      { ids: [deptNo], done: () => t('dept.saved') },
    )
    if (outcome.is === 'done') return close(true)
    if (outcome.is === 'unanswered') return setError(t('common.noAnswer'))
    const { fields, rest } = errorsAt(outcome.error, ['parentNo'])
    const said = [fields.parentNo, ...rest, isStale(outcome.error) && t('common.recordChanged')].filter(Boolean)
    setError(said.join(' ') || outcome.error.message)
  }
  return { move, busy, error }
}

/** Moves a department: the question names what goes along, and how many people see something else afterwards. */
const Move = (props: Props) => {
  const t = useText()
  const { row, start, close } = props
  const { deptNo, deptName } = row
  const [parentNo, setParent] = useState(start)
  const { move, busy, error } = useMove(props, parentNo)
  const tree = useRead(dept.tree, {})
  const effect = useRead(dept.moveEffect, { deptNo, ...(parentNo ? { parentNo } : {}) }).data
  const target = tree.data && flat(tree.data.list).find(node => node.deptNo === parentNo)?.deptName
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t('dept.move')}
      description={
        effect &&
        t('dept.confirmMove', {
          deptName,
          s: effect.subCountBelow,
          u: effect.userCountBelow,
          r: effect.concerned,
          target: parentNo ? (target ?? parentNo) : t('dept.top'),
        })
      }
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} disabled={(parentNo ?? null) === row.parentNo} onClick={() => void move()}>
            {t('dept.move')}
          </Button>
        </>
      }
    >
      <Field
        name="parentNo"
        schema={dept.move.input.shape.parentNo}
        value={parentNo}
        optional
        onChange={value => setParent((value as string | undefined) || undefined)}
      />
      <Text size="1" color="gray">
        {t('dept.topHint')}
      </Text>
      {error && (
        <Callout.Root color="amber" size="1" role="alert">
          <Callout.Text>{error}</Callout.Text>
        </Callout.Root>
      )}
    </ModalDialog>
  )
}

/** Asks where a department is to go. */
export const MoveDialog = ({ rows: [row], close }: DialogProps<DeptNode>) => (
  <Move row={row} start={row.parentNo ?? undefined} close={close} />
)

/** Asks about the place where a department was dropped. */
export const MoveTo = ({ row, target, close }: MoveProps<DeptNode>) => (
  <Move row={row} start={target.deptNo} close={close} />
)
