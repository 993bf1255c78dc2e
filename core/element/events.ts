/** What a toast says. 1 information, 2 success, 3 warning, 4 failure; `ms` defaults to 3000. */
export type ToastDetail = { type: 1 | 2 | 3 | 4; message: string; ms?: number }

/** The detail of every event that a widget sends; `about.ts` says when. */
export type MkopoEvents = {
  'mkopo-ready': { tag: string; version: string }
  'mkopo-error': {
    tag: string
    type: 'network' | 'session' | 'forbidden' | 'contract' | 'server' | 'render'
    code?: number
    message: string
    /** Tries the same again. */
    retry?: () => void
  }
  /** `to` is the full route path of the target. */
  'mkopo-navigate': { to: string; query: Readonly<Record<string, string>>; target: 'same' | 'new' }
  'mkopo-filters-change': {
    filters: Readonly<Record<string, unknown>>
    sort?: string
    pageNum: number
    pageSize: number
    open?: string
    columns?: readonly string[]
    density?: 'normal' | 'compact'
    view?: string
  }
  'mkopo-row-open': { tag: string; id: string }
  'mkopo-action': {
    action: string
    ids: readonly string[]
    outcome: 'done' | 'refused' | 'partial'
    counts?: { ok: number; fail: number }
  }
  'mkopo-toast': ToastDetail
  'mkopo-token-expired': { tag: string; reason: 'expired' | 'revoked' | 'missing' }
}
/** The name of an event that widgets send. */
export type EventName = keyof MkopoEvents

/** Events whose default a listener may prevent. All bubble and cross shadow roots. */
export const cancelable: readonly EventName[] = [
  'mkopo-navigate',
  'mkopo-row-open',
  'mkopo-toast',
  'mkopo-token-expired',
]

/** Sends an event. @returns false when a listener prevented its default. */
export const dispatch = <K extends EventName>(target: EventTarget, name: K, detail: MkopoEvents[K]): boolean =>
  target.dispatchEvent(
    new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: cancelable.includes(name) }),
  )

type MkopoCustomEvents = { [K in EventName]: CustomEvent<MkopoEvents[K]> }
declare global {
  interface GlobalEventHandlersEventMap extends MkopoCustomEvents {}
}
