import type { Context, Hono } from 'hono'
import { type PayLinkShown, payLink, payPagePath } from '../../core/contract/after-loan/pay-link.ts'
import { base, type Endpoint, type Envelope } from '../../core/contract/endpoint.ts'
import type { Key } from '../../core/i18n/index.ts'
import { type Language, languages } from '../../core/i18n/language.ts'
import { text } from '../../core/i18n/server.ts'
import { formatMoney } from '../../core/rules/amount.ts'
import { eatDateTime } from '../../core/rules/time.ts'
import { spokenIn } from './request.ts'

const languageName: Readonly<Record<Language, string>> = { en: 'English', sw: 'Kiswahili', zh: '中文' }

const escaped = (words: string): string => words.replace(/[&<>"']/g, letter => `&#${letter.charCodeAt(0)};`)

const style = `body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:420px;padding:24px 16px;color:#1c2024;background:#fff}
h1{font-size:20px;margin:0}p{margin:12px 0}.amount{font-size:32px;font-weight:600;margin:8px 0}.note{color:#60646c}.bad{color:#ab2b1c}
label{display:block;margin:16px 0 4px}input,button,.again{font:inherit;box-sizing:border-box;width:100%;padding:12px;border-radius:6px;border:1px solid #8b8d98}
button{margin-top:12px;background:#0d7a6f;border-color:#0d7a6f;color:#fff;font-weight:600}.again{display:block;text-align:center;color:inherit;text-decoration:none}
nav{display:flex;gap:16px;margin-top:32px}nav a{color:#60646c}nav a[aria-current]{color:inherit;font-weight:600;text-decoration:none}
@media(prefers-color-scheme:dark){body{background:#111113;color:#edeef0}.note,nav a{color:#b0b4ba}.bad{color:#ff9592}input{background:#18191b;color:inherit}}`

type Said = { language: Language; code: string; phone?: string; refusal?: string }

/** What can be done about a link as it stands. */
const bodyOf = (shown: PayLinkShown, { language, code, phone, refusal }: Said): string => {
  const say = (key: Key, params?: Record<string, string>) => escaped(text(language, key, params))
  const again = `<p><a class="again" href="${payPagePath}/${code}?language=${language}">${say('payPage.reload')}</a></p>`
  const { linkStatus, payAskState, amount } = shown
  if (linkStatus === 'paid') return `<p role="status">${say('payPage.paid')}</p>`
  if (linkStatus !== 'active') return `<p role="status">${say('payPage.over')}</p>`
  if (payAskState === 'waiting') return `<p role="status">${say('payPage.waiting')}</p>${again}`
  const said = refusal ?? (payAskState === 'failed' ? text(language, 'payPage.failed') : '')
  return `${said && `<p class="bad" role="alert">${escaped(said)}</p>`}
<form method="post" action="${payPagePath}/${code}?language=${language}"><label for="phone">${say('payPage.phone')}</label>
<input id="phone" name="phone" inputmode="tel" autocomplete="tel" required maxlength="16" placeholder="256…" value="${escaped(phone ?? '')}">
<button>${say('payPage.ask', { amount: formatMoney(amount) })}</button></form>`
}

const headOf = ({ brand, amount, expireTime, linkStatus }: PayLinkShown, language: Language): string => {
  const until =
    linkStatus === 'active' ? text(language, 'payPage.until', { time: eatDateTime(expireTime).slice(0, 16) }) : ''
  return `<h1>${escaped(text(language, 'payPage.pay', { brand }))}</h1><p class="amount">UGX ${formatMoney(amount)}</p><p class="note">${escaped(until)}</p>`
}

const pageOf = (shown: PayLinkShown | null, said: Said): string => {
  const { language, code } = said
  const help = shown?.hotline
    ? `<p class="note">${escaped(text(language, 'payPage.help', { hotline: shown.hotline }))}</p>`
    : ''
  const choice = languages.map(
    one =>
      `<a href="${payPagePath}/${code}?language=${one}" lang="${one}"${one === language ? ' aria-current="true"' : ''}>${languageName[one]}</a>`,
  )
  const main = shown
    ? headOf(shown, language) + bodyOf(shown, said) + help
    : `<p role="status">${escaped(said.refusal ?? text(language, 'payPage.over'))}</p>`
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><link rel="icon" href="data:,">
<title>${escaped(text(language, 'payPage.title'))}</title><style>${style}</style></head><body><main>${main}</main><nav>${choice.join('')}</nav></body></html>`
}

const asked = async (
  api: Hono,
  c: Context,
  endpoint: Endpoint,
  code: string,
  o: { language: Language; body?: object },
) => {
  const url = new URL(c.req.url)
  url.pathname = `${base}${endpoint.path.replace('{linkCode}', code)}`
  url.search = ''
  const headers = new Headers({ 'accept-language': o.language, 'content-type': 'application/json' })
  const forwarded = c.req.header('x-forwarded-for')
  if (forwarded) headers.set('x-forwarded-for', forwarded)
  const request = new Request(url, {
    method: endpoint.method,
    headers,
    ...(o.body ? { body: JSON.stringify(o.body) } : {}),
  })
  return (await (await api.fetch(request, c.env)).json()) as Envelope
}

/** A phone as people type it, in the form that networks take. */
const phoneOf = (typed: string): string => typed.replace(/[\s()+-]/g, '').replace(/^0(?=\d{9}$)/, '256')

/**
 * The page of a payment link: made here, so that a plain phone shows it at once. It knows no more than the two calls of the contract
 * answer to somebody who has the link.
 */
export const servePayPage = (app: Hono, api: Hono, headers: Readonly<Record<string, string>>): void => {
  const answer = async (c: Context, body?: { phone: string }) => {
    const code = c.req.param('code') ?? ''
    const wanted = c.req.query('language')
    const language = languages.find(one => one === wanted) ?? spokenIn(c.req.raw.headers)
    const shown = await asked(api, c, payLink.opened, code, { language })
    const paid = body && shown.code === 0 ? await asked(api, c, payLink.pay, code, { language, body }) : null
    const found = paid?.code === 0 ? paid : shown
    const fields = (paid?.data as { fields?: { msg: string }[] } | null)?.fields
    const refusal = paid && paid.code !== 0 ? (fields?.[0]?.msg ?? paid.msg) : undefined
    const page = pageOf(found.code === 0 ? (found.data as PayLinkShown) : null, {
      ...{ language, code: /^[0-9a-f]{32}$/.test(code) ? code : '', phone: body?.phone, refusal },
    })
    return c.html(page, found.code === 0 ? 200 : 404, { ...headers, 'cache-control': 'no-store' })
  }
  app.get(`${payPagePath}/:code`, c => answer(c))
  app.post(`${payPagePath}/:code`, async c => {
    const form = await c.req.parseBody().catch(() => ({}) as Record<string, unknown>)
    return answer(c, { phone: phoneOf(String(form.phone ?? '')) })
  })
}
