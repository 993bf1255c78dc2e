import { marketEvents } from '../../../core/contract/supermarket/platform.ts'
import { manners, type Visit } from './visit.ts'

const safe = (text: string) => text.replace(/[&<>"']/g, one => `&#${one.charCodeAt(0)};`)

const framed = (title: string, inside: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${safe(title)}</title><style>
body{font:14px/1.5 system-ui,sans-serif;margin:24px auto;max-width:1100px;padding:0 16px;color:#1c2024}
h1{font-size:20px}table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #d9d9e0;padding:6px 8px;text-align:left;vertical-align:top}
form{display:flex;gap:6px;flex-wrap:wrap}</style></head><body><h1>${safe(title)}</h1>${inside}</body></html>`

const givenOf = ({ customer, consentVersion }: Visit): string =>
  consentVersion === null
    ? 'nothing of the person'
    : `${Object.entries(customer)
        .map(([name, value]) => `${safe(name)}: ${safe(String(value ?? '–'))}`)
        .join('<br>')}<br>consent version ${consentVersion}`

const choice = (name: string, label: string, values: readonly string[]) =>
  `<label>${label} <select name="${name}">${values.map(value => `<option>${value}</option>`).join('')}</select></label>`

/** Everybody who came, what was handed over of them, and the buttons that say what became of them. */
export const listPage = ({ platformNo, visits }: { platformNo: string; visits: readonly Visit[] }): string =>
  framed(
    `Site of partner ${platformNo}`,
    `<table><thead><tr><th scope="col">Came</th><th scope="col">Click</th><th scope="col">By</th><th scope="col">Handed over</th><th scope="col">Message to the console</th><th scope="col">Sent</th></tr></thead><tbody>${visits
      .map(
        one => `<tr><td>${safe(one.at)}</td><td>${safe(one.clickId)}</td><td>${one.by}</td><td>${givenOf(one)}</td>
<td><form method="post" action="/say"><input type="hidden" name="clickId" value="${safe(one.clickId)}">${choice('event', 'Event', marketEvents.values)}${choice('manner', 'Manner', manners)}<label>Amount <input name="amount" value="100000.00" size="12"></label><button>Send</button></form></td>
<td>${one.said.map(({ event, manner, answer }) => `${event} (${manner}): ${safe(answer)}`).join('<br>') || 'nothing yet'}</td></tr>`,
      )
      .join('')}</tbody></table>${visits.length ? '' : '<p>Nobody came yet.</p>'}`,
  )

/** The application form that a customer sees: filled in where they agreed to it. */
export const formPage = (visit: Visit): string =>
  framed(
    'Application',
    `<p>Click ${safe(visit.clickId)}</p><form>${['customerName', 'phone']
      .map(name => `<label>${name} <input name="${name}" value="${safe(String(visit.customer[name] ?? ''))}"></label>`)
      .join('')}</form><p><a href="/">What this site knows</a></p>`,
  )
