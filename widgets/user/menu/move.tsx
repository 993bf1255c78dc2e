import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import { type MenuItem, menu } from '../../../core/contract/user/menu.ts'
import { useText } from '../../../core/element/i18n.ts'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import type { MoveProps } from '../../../core/engine/tree/tree-types.ts'
import { flat } from '../../../core/rules/tree.ts'
import { Button, Callout } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'

const questions = { into: 'menu.moveInto', before: 'menu.moveBefore', after: 'menu.moveAfter' } as const

/** The parent of a place, and the neighbour that comes behind it. */
const placeOf = ({ target, place }: Pick<MoveProps<MenuItem>, 'target' | 'place'>, all: readonly MenuItem[]) => {
  if (place === 'into') return { parentNo: target.menuNo }
  const parent = target.parentNo === null ? {} : { parentNo: target.parentNo }
  const siblings = all.filter(one => one.parentNo === target.parentNo)
  const at = siblings.findIndex(one => one.menuNo === target.menuNo)
  const before = place === 'before' ? target : siblings[at + 1]
  return { ...parent, ...(before ? { beforeNo: before.menuNo } : {}) }
}

/** Asks about the place where an entry was dropped. */
export const MoveTo = ({ row, target, place, close }: MoveProps<MenuItem>) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [note, setNote] = useState<string>()
  const tree = useRead(menu.tree, {})
  const move = async () => {
    setNote(undefined)
    const all = flat(tree.data?.list ?? []).filter(one => one.menuNo !== row.menuNo)
    const { menuNo, version } = row
    const outcome = await send(
      menu.move,
      { menuNo, version, ...placeOf({ target, place }, all) },
      { ids: [menuNo], done: () => t('menu.saved') },
    )
    if (outcome.is === 'done') return close(true)
    setNote(outcome.is === 'unanswered' ? t('common.noAnswer') : outcome.error.message)
  }
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t('menu.move')}
      description={t(questions[place], { name: row.shownName, target: target.shownName })}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} disabled={!tree.data} onClick={() => void move()}>
            {t('menu.move')}
          </Button>
        </>
      }
    >
      {note && (
        <Callout.Root color="amber" size="1" role="alert">
          <Callout.Text>{note}</Callout.Text>
        </Callout.Root>
      )}
    </ModalDialog>
  )
}
