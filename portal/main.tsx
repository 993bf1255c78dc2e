import '../core/client/no-eval.ts'
import { ClientProviders } from '../core/client/providers.tsx'
import { kept } from '../core/ui/kept.ts'
import { defineWidget } from '../core/widget/define-widget.tsx'
import { widgets } from '../widgets/registry.ts'
import { askAhead } from './ahead.ts'
import { warm } from './dialogs/late.tsx'
import { dropSession, readLanguage, readSession, readSettings, showTheme, takeInput } from './shell/storage.ts'
import { guardTexts } from './trusted-types.ts'

guardTexts()

document.documentElement.style.fontSize = '80px'
document.documentElement.lang = readLanguage()
showTheme(readSettings())
document.body.style.margin = '0'
const session = readSession()
if (session) {
  warm()
  askAhead(session, widgets)
  kept.fill(takeInput(session.userInfo.userNo))
}

for (const widget of widgets) defineWidget(widget, ClientProviders)
defineWidget({ tag: 'mkopo-portal', load: () => import('./portal.tsx') }, ClientProviders)

const portal = document.createElement('mkopo-portal')
if (session) portal.setAttribute('token', session.token)
document.body.replaceChildren(portal)

/** Taken out of the page, not reloaded: nothing of the session stays behind. */
new MutationObserver(() => {
  if (!portal.isConnected) dropSession()
}).observe(document.body, { childList: true })
