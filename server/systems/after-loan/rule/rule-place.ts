import { type RawBuilder, sql } from 'kysely'
import { Fault, invalid } from '../../../http/fault.ts'
import type { Reader } from '../../../lists/listed.ts'
import { orderHolder, scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'

type Frag = RawBuilder<unknown>
type Values = Record<string, unknown>

/** Rules that a person sees: those for all merchants, and those of theirs. */
export const placesSeen = (session: Session, perm: string): Frag =>
  sql`(x.merchant_no is null or ${scope(session, { merchant: 'x.merchant_no', holder: () => sql`true`, perm })})`

/** A rule for all merchants is headquarters' to change. */
export const placeRefusal = (session: Session, merchantNo: unknown): Fault | null =>
  merchantNo == null && !session.headquarters ? new Fault('forbidden', 'errors.headquartersOnly') : null

/** Refuses a merchant out of reach, and a product of another merchant. */
export const checkPlace = async (
  { tx, session }: Reader,
  perm: string,
  { merchantNo, productNo }: Values,
): Promise<void> => {
  if (merchantNo == null) return
  const seen = await tx.maybe(sql`
    select 1 from (select merchant_no from merchant where merchant_no = ${merchantNo}) x where ${placesSeen(session, perm)}`)
  if (!seen) throw invalid('merchantNo', 'validation.wrongValue')
  const own = productNo
    ? await tx.maybe(sql`select 1 from product where product_no = ${productNo} and merchant_no = ${merchantNo}`)
    : true
  if (!own) throw invalid('productNo', 'validation.wrongValue')
}

/** What the list of rules reads of their places. */
export const placeSource = (session: Session, perm: string) => ({
  where: placesSeen(session, perm),
  joins: {
    m: sql`left join merchant m on m.merchant_no = x.merchant_no`,
    p: sql`left join product p on p.product_no = x.product_no`,
  },
  columns: { merchantName: sql`m.merchant_name`, productName: sql`p.product_name` },
})

/** Whether a place takes in an order `o`. */
export const takesIn = (merchantNo: Frag, productNo: Frag): Frag =>
  sql`((${merchantNo} is null or o.merchant_no = ${merchantNo}) and (${productNo} is null or o.product_no = ${productNo}))`

/** The row of a table of rules that decides about an order `o`: that of its product, else of its merchant, else of all. */
export const nearestRule = (table: string, only: Frag = sql`true`): Frag => sql`(
  select c.* from ${sql.table(table)} c
  where c.deleted_time is null and ${only} and ${takesIn(sql`c.merchant_no`, sql`c.product_no`)}
  order by c.product_no nulls last, c.merchant_no nulls last limit 1)`

/** The orders that a person sees for a rule. */
export const ordersSeen = (session: Session, perm: string): Frag =>
  scope(session, { merchant: 'o.merchant_no', holder: orderHolder('o'), perm })

/** The place of a rule as parameters. */
export const placeOf = ({ merchantNo = null, productNo = null }: Values): { merchant: Frag; product: Frag } => ({
  merchant: sql`${merchantNo}::text`,
  product: sql`${productNo}::text`,
})

/** What a rule of another place does not leave to this one: orders for which a nearer enabled rule exists. */
export const nearerRule = (table: string, place: { merchant: Frag; product: Frag }, own: string | null): Frag =>
  sql`exists (
    select 1 from ${sql.table(table)} y where y.deleted_time is null and y.enabled = 'enabled' and y.config_no is distinct from ${own}
      and ${takesIn(sql`y.merchant_no`, sql`y.product_no`)}
      and (y.product_no is not null)::int * 2 + (y.merchant_no is not null)::int > (${place.product} is not null)::int * 2 + (${place.merchant} is not null)::int)`
