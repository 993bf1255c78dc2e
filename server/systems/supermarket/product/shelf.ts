import { sql } from 'kysely'
import type { ParsedOf } from '../../../../core/contract/endpoint.ts'
import { marketShelf, type ShownProduct } from '../../../../core/contract/supermarket/market-product.ts'
import type { Tx } from '../../../db/database.ts'
import { serveSigned } from '../../../http/serve.ts'
import type { Deps } from '../../../module.ts'
import type { PostOnce } from '../../../outgoing/open-link.ts'
import { merchantSecrets, merchantSigner } from '../../common/index.ts'
import { quotaFor, recommendedTo } from '../recommend/choice.ts'
import { opening, ownApp } from './opening.ts'
import { seenOnShelf, type Viewer, viewerOf } from './viewer.ts'

/** Most products of one page. */
const most = 50

/** Adds one to how often products were shown today. */
export const noteShown = (
  tx: Tx,
  nos: readonly string[],
  { appCode, slot, recommendNo = '' }: { appCode: string; slot: string; recommendNo?: string },
): Promise<unknown> =>
  nos.length === 0
    ? Promise.resolve()
    : tx.exec(sql`
      insert into market_shown (business_date, market_product_no, app_code, slot, recommend_no, shown_count)
      select ${tx.today}, no, ${appCode}, ${slot}, ${recommendNo}, 1 from unnest(${[...nos].sort()}::text[]) no
      on conflict (market_product_no, business_date, app_code, slot, recommend_no) do update set shown_count = market_shown.shown_count + 1`)

type Asked = ParsedOf<typeof marketShelf.shelf>

/** What a customer sees in a place: the recommendation that is theirs today, and in the list all other products behind it. */
const shownTo = async (tx: Tx, asked: Asked, viewer: Viewer): Promise<ShownProduct[]> => {
  const { appCode, language, slot } = asked
  const { chosen } = await recommendedTo(tx, asked, viewer)
  const words = (column: string) => sql`p.${sql.ref(column)} ->> ${language}`
  const rows = await tx.rows(sql<Omit<ShownProduct, 'recommendNo' | 'quota' | 'reasonText'>>`
    select p.market_product_no, p.market_product_name, p.logo, ${words('slogan')} as slogan, p.amount_min, p.amount_max, p.term_min, p.term_max, p.term_unit,
      p.all_in_month_rate, ${words('fee_text')} as fee_text, ${words('conditions')} as conditions, ${words('required_docs')} as required_docs, p.badge
    from market_product p where ${seenOnShelf(tx, appCode, viewer)} and (${slot === 'supermarket_list'} or p.market_product_no = ${chosen?.marketProductNo ?? ''})
    order by p.market_product_no <> ${chosen?.marketProductNo ?? ''}, p.sort, p.market_product_no limit ${most}`)
  const plain = rows.filter(one => one.marketProductNo !== chosen?.marketProductNo)
  await noteShown(
    tx,
    plain.map(one => one.marketProductNo),
    asked,
  )
  if (chosen) await noteShown(tx, [chosen.marketProductNo], { ...asked, recommendNo: chosen.recommendNo })
  return rows.map(one =>
    chosen && one.marketProductNo === chosen.marketProductNo
      ? {
          ...one,
          recommendNo: chosen.recommendNo,
          quota: quotaFor(chosen, viewer),
          reasonText: chosen.reasonText?.[language] ?? null,
        }
      : { ...one, recommendNo: null, quota: null, reasonText: null },
  )
}

/** What the apps of merchants ask for, and where a customer is handed over. */
export const shelfCalls = ({ secretKey }: Pick<Deps, 'secretKey'>, post: PostOnce) => {
  const secrets = merchantSecrets(secretKey)
  const signer = (tx: Tx, request: Parameters<typeof merchantSigner>[1]) => merchantSigner(tx, request, secrets)
  const shelf = serveSigned(marketShelf.shelf, {
    signer,
    async handle({ tx, input }, merchant) {
      ownApp(merchant, input.appCode)
      const viewer = await viewerOf(tx, merchant.merchantNo, input.customerNo)
      // The reason of a refusal is read first: what stands there is never in its place.
      if (viewer.overdue || (input.slot === 'refused_page' && !input.refusalShown)) return { list: [] }
      return { list: await shownTo(tx, input, viewer) }
    },
  })
  return [shelf, opening({ secretKey }, signer, post)]
}
