import { callAhead, holdBackground } from '../core/client/call.ts'
import { fromEntries } from '../core/client/url-state.ts'
import { base } from '../core/contract/endpoint.ts'
import { user } from '../core/contract/user/user.ts'
import { wordsFor } from '../core/element/i18n.ts'
import { screenOf } from '../core/widget/load-screen.ts'
import type { WidgetMeta } from '../core/widget/widget-meta.ts'
import { readLanguage, type Session } from './shell/storage.ts'

/** Figures and badges wait no longer than this for the first rows. */
const patienceMs = 3_000

/**
 * Asks for what the page of the address begins with before anything of it is drawn: the session, the words of its screen and the
 * first rows of its list. What runs in the background waits until these are there.
 */
export const askAhead = (session: Session, widgets: readonly WidgetMeta[]): void => {
  const { pathname, search, origin } = location
  const language = readLanguage()
  const server = { baseUrl: `${origin}${base}`, token: () => session.token, language: () => language }
  if (session.passwordUpdateStatus === 1) return
  void callAhead(server, user.self, {})
  const path = pathname.toLowerCase().replace(/\/$/, '')
  const widget = widgets.find(one => one.path?.toLowerCase() === path)
  if (!widget || !session.allowedPaths.includes(path)) return
  const asked = screenOf(widget).then(({ calls, first = calls, opening }) => {
    wordsFor(language, widget.tag, first).catch(() => undefined)
    const begins = opening?.(fromEntries([...new URLSearchParams(search)]))
    return begins && callAhead(server, begins.call, begins.input)
  })
  holdBackground(Promise.race([asked, new Promise(resolve => setTimeout(resolve, patienceMs))]))
}
