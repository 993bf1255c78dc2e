import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Use } from '../../../../core/contract/config.ts'
import {
  appContract,
  appContracts,
  type contractVariables,
  neededVariables,
  orderContract,
} from '../../../../core/contract/operation/app-contract.ts'
import { type Language, languages } from '../../../../core/i18n/language.ts'
import { text } from '../../../../core/i18n/server.ts'
import { quote } from '../../../../core/rules/loan/price.ts'
import { schedule } from '../../../../core/rules/loan/schedule.ts'
import type { Terms } from '../../../../core/rules/loan/terms.ts'
import { add, formatMoney, type Money } from '../../../../core/rules/money.ts'
import { filled, placeholdersIn } from '../../../../core/rules/text/filled.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid, notFound } from '../../../http/fault.ts'
import { serve, serveDownload } from '../../../http/serve.ts'
import type { Module } from '../../../module.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { findOrder } from '../../order/order/index.ts'

type Frag = RawBuilder<unknown>
type Bodies = Record<'bodyZh' | 'bodyEn' | 'bodySw', string>
const bodyIn = { zh: 'bodyZh', en: 'bodyEn', sw: 'bodySw' } as const

const seenBy = (session: Session, perm: string): Frag =>
  scope(session, { merchant: 'x.merchant_no', holder: () => sql`true`, perm })
const openStatus = ['settled', 'cancelled', 'machine_refused', 'approval_rejected']
const openOrders = (of: Frag) => sql`(
  select count(distinct s.order_no)::int from order_contract s join loan_order o using (order_no) where ${of} and o.order_status <> all(${openStatus}))`

const hashOf = (of: Bodies): string =>
  createHash('sha256').update([of.bodyZh, of.bodyEn, of.bodySw].join('\u0000')).digest('hex')

/** A summary of costs that leaves a cost out is not put in force. */
const lacking = ({ contractType }: Record<string, unknown>, content: Record<string, unknown>): Fault | null => {
  if (contractType !== 'cost_summary') return null
  for (const language of languages) {
    const named = placeholdersIn(String(content[bodyIn[language]]))
    const name = neededVariables.find(one => !named.includes(one))
    if (name) return invalid(bodyIn[language], 'errors.contractVariableMissing', { name: `{${name}}` })
  }
  return null
}

const config = serveConfig(appContracts, {
  prefix: 'AT',
  unique: 'contractType',
  check: async ({ tx, session }, form, before) => {
    if (before) return
    const known = await tx.maybe(sql`
      select 1 from merchant x where x.merchant_no = ${form.merchantNo} and x.deleted_time is null and ${seenBy(session, appContracts.codes.save)}`)
    if (!known) throw invalid('merchantNo', 'validation.wrongValue')
  },
  uses: (tx, keys) =>
    tx.rows(sql<Use & { key: string }>`
      select s.contract_no as key, 'order' as kind, s.order_no as no, s.version_no as name from order_contract s where s.contract_no = any(${[...keys]}) order by s.signed_time desc limit 50`),
  source: ({ session }) => ({
    where: seenBy(session, appContracts.codes.page),
    joins: { m: sql`join merchant m on m.merchant_no = x.merchant_no` },
    columns: {
      merchantName: sql`m.merchant_name`,
      sha256: sql`(select left(encode(sha256(convert_to(concat_ws(chr(10), f.content ->> 'bodyZh', f.content ->> 'bodyEn', f.content ->> 'bodySw'), 'UTF8')), 'hex'), 12) from app_contract_version f
        where f.contract_no = x.contract_no and f.version_status = 'effective')`,
      signedCount: sql`(select count(distinct s.order_no)::int from order_contract s where s.contract_no = x.contract_no)`,
      openOnOlder: openOrders(sql`s.contract_no = x.contract_no and not exists (
        select 1 from app_contract_version f where f.version_no = s.version_no and f.version_status = 'effective')`),
    },
  }),
  versions: {
    prefix: 'ATV',
    holds: async (_, { item, content }) => lacking(item, content),
    effect: async (tx, { item }) => {
      const { n } = await tx.one(sql<{ n: number }>`select ${openOrders(sql`s.contract_no = ${item.contractNo}`)} as n`)
      return { openOrders: n }
    },
  },
})

type Filling = Record<(typeof contractVariables)[number], string>
type Loan = { terms: Terms; loanAmount: Money; from: string }
type Named = { customerName: string; orderNo: string; merchantName: string }

/** The values of a loan, as its texts name them. */
const valuesOf = ({ terms, loanAmount, from }: Loan, named: Named): Filling => {
  const cost = quote(terms, { loanAmount })
  const ugx = (amount: Money) => `UGX ${formatMoney(amount)}`
  return {
    ...named,
    principal: ugx(loanAmount),
    amountReceived: ugx(cost.actualLoanAmount),
    interest: ugx(cost.interestTotal),
    serviceFee: ugx(add(cost.upfront.serviceFee, cost.spread.serviceFee)),
    managementFee: ugx(add(cost.upfront.managementFee, cost.spread.managementFee)),
    totalToRepay: ugx(cost.repayTotal),
    term: String(terms.termDays),
    dueDates: schedule(terms, loanAmount, from)
      .map(({ dueDate }) => dueDate)
      .join(', '),
    signDate: from,
  }
}

const escaped = (words: string): string =>
  words.replace(/[&<>"]/g, sign => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] as string)

/** A page to be read and printed, of parts with a heading each. */
const pageOf = (
  language: Language,
  title: string,
  parts: readonly { heading: string; body: string; foot: string }[],
) => {
  const shown = parts.map(
    ({ heading, body, foot }) =>
      `<section><h2>${escaped(heading)}</h2><p>${escaped(body)}</p><footer>${escaped(foot)}</footer></section>`,
  )
  const style =
    'body{font:15px/1.5 sans-serif;max-width:46em;margin:2em auto;padding:0 1em}p{white-space:pre-wrap}footer{color:#555;font-size:12px}section{break-inside:avoid}'
  const html = `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escaped(title)}</title><style>${style}</style></head><body><h1>${escaped(title)}</h1>${shown.join('')}</body></html>`
  const bytes = Buffer.from(html)
  return { bytes, name: `${title}.html`, type: 'text/html; charset=utf-8', size: bytes.length }
}

type Of = { orderNo: string; customerNo: string; merchantNo: string; terms: Terms; loanAmount: Money }

/** What a loan is agreed to by, as it is in force now, is filled in and kept with the instruction to pay it out. */
export const signContracts = async (tx: Tx, order: Of, loanCode: string): Promise<void> => {
  const versions = await tx.rows(sql<{ contractNo: string; contractType: string; versionNo: string; content: Bodies }>`
    select x.contract_no, x.contract_type, v.version_no, v.content from app_contract x join app_contract_version v using (contract_no)
    where x.merchant_no = ${order.merchantNo} and x.enabled = 'enabled' and x.deleted_time is null and v.version_status = 'effective'
      and x.contract_type in ('loan_agreement', 'cost_summary') order by x.contract_no`)
  if (versions.length === 0) return
  const named = await tx.one(sql<{ customerName: string; merchantName: string }>`
    select c.customer_name, m.merchant_name from customer c, merchant m where c.customer_no = ${order.customerNo} and m.merchant_no = ${order.merchantNo}`)
  const values = valuesOf({ ...order, from: tx.today }, { ...named, orderNo: order.orderNo })
  for (const { content, ...of } of versions) {
    const texts = {
      bodyZh: filled(content.bodyZh, values),
      bodyEn: filled(content.bodyEn, values),
      bodySw: filled(content.bodySw, values),
    }
    tx.append('orderContract', {
      ...{ loanCode, orderNo: order.orderNo, ...of, signedTime: tx.now, sha256: hashOf(texts) },
      ...{ textZh: texts.bodyZh, textEn: texts.bodyEn, textSw: texts.bodySw },
    })
  }
}

const example: Loan = {
  terms: {
    ...{
      track: 'case',
      termDays: 14,
      installmentCount: 1,
      minAmount: '50000.00',
      maxAmount: '500000.00',
      amountStep: '10000.00',
    },
    interest: { method: 'flat', ratePerDay: '0.07' },
    serviceFee: { basis: 'rate', value: '8', taken: 'upfront' },
    managementFee: { basis: 'rate', value: '2', taken: 'upfront' },
    rounding: { unit: '1', mode: 'half_up' },
  } as unknown as Terms,
  loanAmount: '200000.00',
  from: '',
}

const download = serveDownload(appContract.download, 'appContract.download', async call => {
  const { tx, session, input, audit } = call
  const found = await tx.maybe(sql<{ contractType: string; merchantName: string; content: Bodies }>`
    select x.contract_type, m.merchant_name, v.content from app_contract x join app_contract_version v using (contract_no) join merchant m on m.merchant_no = x.merchant_no
    where x.contract_no = ${input.contractNo} and v.version_no = ${input.versionNo} and x.deleted_time is null and ${seenBy(session, appContract.download.perm as string)}`)
  if (!found) throw notFound()
  audit({ objectType: appContracts.table, objectNo: input.contractNo, after: { versionNo: input.versionNo } })
  const { language } = session
  const title = text(language, `dict.CONTRACT_TYPE.${found.contractType as 'privacy'}`)
  const values = valuesOf(
    { ...example, from: tx.today },
    { customerName: 'Akello Grace', orderNo: 'LO000000', merchantName: found.merchantName },
  )
  const body = filled(found.content[bodyIn[language]], values)
  return pageOf(language, `${title} ${input.versionNo}`, [
    { heading: found.merchantName, body, foot: hashOf(found.content) },
  ])
})

type Signed = {
  contractNo: string
  contractType: 'loan_agreement'
  versionNo: string
  signedTime: string
  sha256: string
  words: string
}

/** What an order was last agreed to by, with the text in one language. */
const signedOf = async (tx: Tx, orderNo: string, language: Language): Promise<Signed[]> =>
  tx.rows(sql<Signed>`
    select s.contract_no, s.contract_type, s.version_no, s.signed_time, s.sha256, ${sql.ref(`s.text_${language}`)} as words from order_contract s
    where s.order_no = ${orderNo} and s.signed_time = (select max(l.signed_time) from order_contract l where l.order_no = s.order_no) order by s.contract_type, s.contract_no`)

const ofOrder = orderContract.list.perm as string

const list = serve(orderContract.list, async ({ tx, session, input }) => {
  const { orderNo } = await findOrder(tx, session, input.orderNo, ofOrder)
  return { list: (await signedOf(tx, orderNo, session.language)).map(({ words: _, ...one }) => one) }
})

const orderDownload = serveDownload(orderContract.download, 'order.contractDownload', async call => {
  const { tx, session, input, audit } = call
  const { orderNo } = await findOrder(tx, session, input.orderNo, ofOrder)
  const signed = await signedOf(tx, orderNo, session.language)
  if (signed.length === 0) throw new Fault('stateConflict', 'errors.noContract')
  audit({ objectType: 'order', objectNo: orderNo, orderNo, after: { versions: signed.map(one => one.versionNo) } })
  const parts = signed.map(({ contractType, words, sha256, versionNo }) => ({
    ...{
      heading: text(session.language, `dict.CONTRACT_TYPE.${contractType}`),
      body: words,
      foot: `${versionNo} · SHA-256 ${sha256}`,
    },
  }))
  return pageOf(session.language, `${text(session.language, 'actions.contract')} ${orderNo}`, parts)
})

/** The texts that customers agree to. */
export const appContractModule = (): Module => ({
  ...config,
  served: [...config.served, download, list, orderDownload],
})
