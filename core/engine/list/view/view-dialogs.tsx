import { lazy, Suspense } from 'react'
import type { Pressed } from '../../form/actions.tsx'

import type { ListViewState } from './use-list-view.ts'

const Ask = lazy(async () => ({ default: (await import('../../form/ask.tsx')).Ask }))
const ListKeysDialog = lazy(async () => ({ default: (await import('../keys/list-keys-dialog.tsx')).ListKeysDialog }))

/** What the pressed action asks for. */
const Asked = ({ view, pressed }: { view: ListViewState; pressed: Pressed }) => {
  const { screen, answer, reload, close } = view
  const { list, rowKey } = screen
  if ('run' in pressed.action)
    return (
      <Ask
        key={pressed.action.label}
        action={pressed.action}
        rows={pressed.rows}
        left={pressed.left}
        rowKey={rowKey}
        fields={list.row}
        page={answer?.list}
        stale={reload}
        close={close}
      />
    )
  return 'dialog' in pressed.action ? (
    <pressed.action.dialog rows={pressed.rows as never} left={pressed.left} close={close} />
  ) : null
}

/** The dialog of an action, and the help of the keys. */
export const ViewDialogs = ({ view }: { view: ListViewState }) => {
  const { screen, pressed, helping, setHelping, bulk, opens, byKey } = view
  return (
    <Suspense fallback={null}>
      {pressed && <Asked view={view} pressed={pressed} />}
      {helping && (
        <ListKeysDialog
          filters={screen.filters !== undefined}
          choosing={bulk.length > 0}
          opening={opens}
          drawer={screen.detail !== undefined}
          acknowledging={byKey !== undefined}
          close={() => setHelping(false)}
        />
      )}
    </Suspense>
  )
}
