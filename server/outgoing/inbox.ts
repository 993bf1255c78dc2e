import type { Context, Hono } from 'hono'

/** Where the simulators of a demo are asked for what they were given. */
export type Inbox = { sms: string; mail: string }

type Mail = { at: string; to: string; from: string; subject: string; body: string }
type Text = {
  at: string
  username: string
  phone: string
  from: string
  content: string
  arrived: boolean
  reports: string[]
}
type Kept<M> = { modes: Record<string, string>; messages: M[] }

export const inboxPath = '/demo/messages'

/** Modes that a simulator can be put into. */
const choices = {
  sms: ['ok', 'refuse', 'timeout', 'silent', 'down'],
  mail: ['ok', 'refuse', 'later', 'lost', 'down'],
} as const
type Which = keyof typeof choices

const escaped = (text: string): string => text.replace(/[&<>"']/g, letter => `&#${letter.charCodeAt(0)};`)

const askMs = 3_000
const kept = async <M>(url: string): Promise<Kept<M> | null> => {
  try {
    const answer = await fetch(`${url}/_sim/messages`, { signal: AbortSignal.timeout(askMs) })
    return (await answer.json()) as Kept<M>
  } catch {
    return null
  }
}

const style = `body{font:14px/1.5 system-ui,sans-serif;margin:24px auto;max-width:1100px;padding:0 16px;color:#1c2024}
h1{font-size:20px}h2{font-size:16px;margin-top:28px}table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #d9d9e0;padding:6px 8px;text-align:left;vertical-align:top}
td.body{white-space:pre-wrap;overflow-wrap:anywhere}form{display:inline}button[aria-pressed=true]{font-weight:600}
@media(prefers-color-scheme:dark){body{background:#111113;color:#edeef0}td,th{border-color:#363a3f}}`

const switchOf = (which: Which, name: string, mode: string): string =>
  `<form method="post" action="${inboxPath}"><input type="hidden" name="which" value="${which}"><input type="hidden" name="name" value="${escaped(name)}">${choices[
    which
  ]
    .map(one => `<button name="mode" value="${one}" aria-pressed="${one === mode}">${one}</button>`)
    .join(' ')}</form>`

const table = (heads: readonly string[], rows: readonly string[][], body: number): string =>
  rows.length === 0
    ? '<p>Nothing yet.</p>'
    : `<table><thead><tr>${heads.map(head => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${rows
        .map(
          row =>
            `<tr>${row.map((cell, at) => `<td${at === body ? ' class="body"' : ''}>${escaped(cell)}</td>`).join('')}</tr>`,
        )
        .join('')}</tbody></table>`

const timeOf = (at: string): string => at.slice(0, 19).replace('T', ' ')

const pageOf = (texts: Kept<Text> | null, mails: Kept<Mail> | null): string => {
  const modesOf = (which: Which, modes: Record<string, string>) =>
    Object.entries(modes)
      .map(([name, mode]) => `<p>${escaped(name)}: ${switchOf(which, name, mode)}</p>`)
      .join('')
  const down = '<p>The simulator does not answer.</p>'
  const sms = texts
    ? modesOf('sms', texts.modes) +
      table(
        ['UTC', 'By', 'To', 'From', 'Text', 'Reached the phone', 'Reports'],
        texts.messages.map(one => [
          ...[timeOf(one.at), one.username, one.phone, one.from, one.content],
          ...[one.arrived ? 'yes' : 'no', one.reports.join(', ')],
        ]),
        4,
      )
    : down
  const mail = mails
    ? modesOf('mail', mails.modes) +
      table(
        ['UTC', 'To', 'Subject', 'Letter'],
        mails.messages.map(one => [timeOf(one.at), one.to, one.subject, one.body]),
        3,
      )
    : down
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="5"><title>Letters and texts of the demo</title><style>${style}</style></head>
<body><h1>Letters and texts of the demo</h1><p>What the simulators of the mail server and of the SMS vendors were given; this page looks again every 5 seconds.</p>
<h2>Text messages</h2>${sms}<h2>E-mail</h2>${mail}</body></html>`
}

/** The developer page of a demo: what its simulators were given, and how they are to behave. It is not there in production. */
export const serveInbox = (app: Hono, inbox: Inbox, headers: Readonly<Record<string, string>>): void => {
  app.get(inboxPath, async (c: Context) => {
    const [texts, mails] = await Promise.all([kept<Text>(inbox.sms), kept<Mail>(inbox.mail)])
    return c.html(pageOf(texts, mails), 200, { ...headers, 'cache-control': 'no-store' })
  })
  app.post(inboxPath, async (c: Context) => {
    const site = c.req.header('sec-fetch-site')
    if (site !== undefined && site !== 'same-origin') return c.text('', 403)
    const { which, name, mode } = (await c.req.parseBody()) as Record<string, string>
    if (which === 'sms' || which === 'mail') {
      const body = JSON.stringify(which === 'sms' ? { username: name, mode } : { mode })
      await fetch(`${inbox[which]}/_sim/switch`, { method: 'POST', body, signal: AbortSignal.timeout(askMs) }).catch(
        () => undefined,
      )
    }
    return c.redirect(inboxPath, 303)
  })
}
