import { useEffect, useRef } from 'react'
import { CallError } from '../../client/errors.ts'
import { useMay, useRead } from '../../client/providers.tsx'
import { codes } from '../../contract/codes.ts'
import { type View, view } from '../../contract/portal/view.ts'
import { useHost } from '../../element/context.ts'

/** Name under which the views of this list are kept. */
export const useWidgetName = () => {
  const { tag, part } = useHost()
  return part ? `${tag}/${part}` : tag
}

/** The saved views of a list, as far as they are loaded. */
export type Views = {
  /** Whether the person may have views and the list is loaded. */
  offered: boolean
  list: readonly View[] | undefined
  failed: boolean
  reload: () => Promise<unknown>
}

/** The saved views of this list. They are asked for after the list is shown; what is already known is there at once. */
export const useViews = (listShown: boolean): Views => {
  const may = useMay()
  const widget = useWidgetName()
  const asked = may.known && listShown
  const now = useRef(asked)
  now.current = asked
  const { data, error, retry } = useRead(
    view.page,
    { widget, pageSize: 100 },
    { background: true, isPaused: () => !now.current },
  )
  const again = useRef(retry)
  again.current = retry
  useEffect(() => {
    if (asked) void again.current()
  }, [asked])
  const refused = error instanceof CallError && (error.code === codes.forbidden || error.code === codes.signedOut)
  return {
    offered: asked && !refused,
    list: data?.list,
    failed: error !== undefined && data === undefined,
    reload: retry,
  }
}
