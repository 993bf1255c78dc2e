import { watch } from 'mkopo'
import 'mkopo/mkopo-audit-my-audit.js'
// @ts-expect-error: there is no such element
import 'mkopo/mkopo-audit-your-audit.js'

const widget = document.createElement('mkopo-audit-my-audit')
widget.token = 'an embed token'
widget.language = 'sw'
widget.density = 'compact'
widget.fetchToken = async () => (await fetch('/token')).text()
widget.config = { timeout: 10_000 }
// @ts-expect-error: no such language
widget.language = 'fr'
// @ts-expect-error: a token is text
widget.token = 5

widget.addEventListener('mkopo-navigate', event => {
  const to: string = event.detail.to
  event.preventDefault()
  location.assign(to)
})
document.addEventListener('mkopo-error', ({ detail }) => {
  if (detail.type === 'network') detail.retry?.()
  // @ts-expect-error: no such type of error
  if (detail.type === 'weather') detail.retry?.()
})
window.addEventListener('mkopo-token-expired', ({ detail }) => {
  const reason: 'expired' | 'revoked' | 'missing' = detail.reason
  return reason
})
document.querySelector('mkopo-phone')?.addEventListener('mkopo-reveal', event => {
  const phone: string | null | undefined = (event.currentTarget as HTMLElementTagNameMap['mkopo-phone']).value
  return phone
})
watch(document.createElement('div').attachShadow({ mode: 'open' }))
document.body.append(widget)
