import { sql } from 'kysely'
import type { OutputOf, ParsedOf } from '../../../../core/contract/endpoint.ts'
import { marketShelf } from '../../../../core/contract/supermarket/market-product.ts'
import type { prefillFields } from '../../../../core/contract/supermarket/platform.ts'
import { hostsIn, withClick } from '../../../../core/rules/market/hosts.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'
import { type Request, serveSignedWork } from '../../../http/serve.ts'
import type { Deps } from '../../../module.ts'
import type { PostOnce } from '../../../outgoing/open-link.ts'
import type { merchantSigner } from '../../common/index.ts'
import { newClickId } from './click-id.ts'
import { filledIn, type Prefill } from './prefill.ts'
import { seenOnShelf, viewerOf } from './viewer.ts'

type Signer = Awaited<ReturnType<typeof merchantSigner>>
type Opened = ParsedOf<typeof marketShelf.open>
type Answer = OutputOf<typeof marketShelf.open>

/** One more click of today, unless the cap of the day is reached: counted and compared in one statement. */
const takeClick = async (tx: Tx, marketProductNo: string, cap: number | null): Promise<boolean> => {
  const taken = await tx.maybe(sql<{ taken: number }>`
    insert into market_clicks_today (market_product_no, business_date, taken) values (${marketProductNo}, ${tx.today}, 1)
    on conflict (market_product_no, business_date) do update set taken = market_clicks_today.taken + 1
      where ${cap}::int is null or market_clicks_today.taken < ${cap}::int
    returning taken`)
  return taken !== undefined
}

/** Refuses an app that asks in the name of another. */
export const ownApp = ({ appName }: Signer, appCode: string) => {
  if (appName !== appCode) throw new Fault('forbidden', 'errors.forbidden')
}

/** The recommendation that a click came from; one of another product or place is no recommendation of this click. */
const recommendationOf = async (tx: Tx, { recommendNo, marketProductNo, slot }: Opened) => {
  if (!recommendNo) return ''
  const found = await tx.maybe(sql`
    select 1 from market_recommend where recommend_no = ${recommendNo} and market_product_no = ${marketProductNo} and slot = ${slot}`)
  return found ? recommendNo : ''
}

type Offered = {
  applyUrl: string
  platformNo: string
  dailyClickCap: number | null
  handoff: 'link' | 'prefill'
  prefillUrl: string | null
  prefillFields: (typeof prefillFields)['values'][number][] | null
  allowedHosts: string
  consentVersion: number
  consentText: Record<Opened['language'], string>
  keyTurn: number
}

/** What the customer is asked first: the text of the platform, and which of their data goes along under it. */
const asking = ({ consentVersion, consentText, prefillFields }: Offered, { language }: Opened): Answer => ({
  clickId: null,
  targetLink: null,
  consent: { consentVersion, consentText: consentText[language], prefillFields: prefillFields ?? [] },
})

/** The values of a customer that a partner's form takes. */
const valuesOf = (tx: Tx, customerNo: string) =>
  tx.one(sql<Record<(typeof prefillFields)['values'][number], string | null>>`
    select customer_name, phone, id_number, birth_date, district from customer where customer_no = ${customerNo}`)

/**
 * A customer opens a product. A plain link carries the number of the click alone; a form is filled in once the customer has agreed,
 * on this very opening, to the text that is in force; without it, and when the partner does not answer, the plain link is given.
 */
export const opening = (
  { secretKey }: Pick<Deps, 'secretKey'>,
  signer: (tx: Tx, request: Request) => Promise<Signer>,
  post: PostOnce,
) =>
  serveSignedWork(marketShelf.open, {
    signer,
    async before({ tx, input }, merchant): Promise<{ answer: Answer; prefill: Prefill | null }> {
      const { appCode, customerNo, marketProductNo, slot } = input
      ownApp(merchant, appCode)
      const viewer = await viewerOf(tx, merchant.merchantNo, customerNo)
      if (viewer.overdue) throw new Fault('stateConflict', 'errors.productGone')
      const product = await tx.maybe(sql<Offered>`
        select p.apply_url, p.platform_no, p.daily_click_cap, p.handoff, f.prefill_url, f.prefill_fields, f.allowed_hosts, f.consent_version, f.consent_text, f.key_turn
        from market_product p join supermarket_platform f using (platform_no)
        where p.market_product_no = ${marketProductNo} and ${seenOnShelf(tx, appCode, viewer)}`)
      if (!product) throw new Fault('stateConflict', 'errors.productGone')
      const { prefillUrl, prefillFields } = product
      const filled = product.handoff === 'prefill' && prefillUrl !== null && !input.declined
      if (filled && input.consentVersion !== product.consentVersion)
        return { answer: asking(product, input), prefill: null }
      if (!(await takeClick(tx, marketProductNo, product.dailyClickCap)))
        throw new Fault('stateConflict', 'errors.productGone')
      const recommendNo = await recommendationOf(tx, input)
      const clickId = newClickId()
      const fields = filled ? (prefillFields ?? []) : []
      await tx.exec(sql`
        insert into market_click (click_id, market_product_no, platform_no, customer_no, app_code, slot, recommend_no, click_time, business_date, consent_version, prefilled)
        values (${clickId}, ${marketProductNo}, ${product.platformNo}, ${customerNo}, ${appCode}, ${slot}, ${recommendNo}, ${tx.now}, ${tx.today},
          ${filled ? product.consentVersion : null}, ${fields})`)
      const answer = { clickId, targetLink: withClick(product.applyUrl, clickId), consent: null }
      if (!filled) return { answer, prefill: null }
      const values = await valuesOf(tx, customerNo)
      const { platformNo, keyTurn, consentVersion } = product
      return {
        answer,
        prefill: {
          ...{ platformNo, keyTurn, clickId, consentVersion, prefillUrl, hosts: hostsIn(product.allowedHosts) },
          customer: Object.fromEntries(fields.map(name => [name, values[name]])),
        },
      }
    },
    async work({ answer, prefill }): Promise<Answer> {
      const targetLink = prefill && (await filledIn(secretKey, post, prefill))
      return targetLink ? { ...answer, targetLink } : answer
    },
    after: async (_call, _merchant, answer) => answer,
  })
