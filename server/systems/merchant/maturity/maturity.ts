import { type RawBuilder, sql } from 'kysely'
import type { BusinessValue } from '../../../../core/contract/common/business-config.ts'
import { contract } from '../../../../core/contract/contract.ts'
import type { LoadDay } from '../../../../core/contract/merchant/maturity.ts'
import { maturities } from '../../../../core/contract/merchant/maturity.ts'
import { dueDay, isWorkingDay } from '../../../../core/rules/loan/due-day.ts'
import { periodDays, type Terms } from '../../../../core/rules/loan/terms.ts'
import { addDays, daysBetween } from '../../../../core/rules/time.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import type { Module } from '../../../module.ts'
import { orderHolder, scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { businessValue, closedDays } from '../../common/index.ts'

const { maturity } = contract
type Frag = RawBuilder<unknown>
const perm = maturity.page.perm as string

/** Merchants whose rows a person sees; rows for all are seen by everybody. */
const seenBy = (session: Session): Frag =>
  sql`(x.merchant_no is null or ${scope(session, { merchant: 'x.merchant_no', holder: () => sql`true`, perm })})`

/** Orders `o` that a row `x` is for: those that no more specific row is for. */
const ofRow = sql`(x.merchant_no is null or x.merchant_no = o.merchant_no) and (x.product_no is null or x.product_no = o.product_no)
  and not exists (select 1 from maturity_config y where y.enabled = 'enabled' and y.deleted_time is null and y.maturity_no <> x.maturity_no
    and (y.merchant_no is null or y.merchant_no = o.merchant_no) and (y.product_no is null or y.product_no = o.product_no)
    and (y.product_no is not null)::int * 2 + (y.merchant_no is not null)::int > (x.product_no is not null)::int * 2 + (x.merchant_no is not null)::int)`

const openBills = sql`repay_plan b join loan_order o using (order_no)`
const isOpen = sql`b.bill_status in ('pending', 'partial')`

/** How many days overdue the strictest product of a row may still be extended; null where none says so. */
const mostOverdueDays = async (tx: Tx, item: Record<string, unknown>): Promise<number | null> => {
  const { days } = await tx.one(sql<{ days: number | null }>`
    select min((terms -> 'extension' ->> 'maxOverdueDays')::int) as days from product
    where enabled = 'enabled' and (terms -> 'extension' ->> 'max')::int > 0
      and (${item.merchantNo}::text is null or merchant_no = ${item.merchantNo}) and (${item.productNo}::text is null or product_no = ${item.productNo})`)
  return days
}

const config = serveConfig(maturities, {
  prefix: 'MC',
  unique: 'merchantNo',
  mayChange: ({ session }, { merchantNo }) =>
    merchantNo == null && !session.headquarters ? new Fault('forbidden', 'errors.headquartersOnly') : null,
  made: async ({ tx, session }, form) => {
    const { productNo } = form
    const product = productNo
      ? await tx.maybe(sql<{ merchantNo: string }>`select merchant_no from product where product_no = ${productNo}`)
      : null
    if (productNo && (!product || (form.merchantNo && product.merchantNo !== form.merchantNo)))
      throw invalid('productNo', 'validation.wrongValue')
    const merchantNo = (product ? product.merchantNo : form.merchantNo) ?? null
    if (merchantNo) {
      const seen = await tx.maybe(
        sql`select 1 from (select merchant_no from merchant where merchant_no = ${merchantNo}) x where ${seenBy(session)}`,
      )
      if (!seen) throw invalid('merchantNo', 'validation.wrongValue')
    }
    return { rows: [{ ...form, merchantNo }], existing: 0 }
  },
  /** Once it is on, the row for all merchants stays, so that there is always one. */
  fixed: ({ merchantNo, enabled }) =>
    merchantNo === null && enabled === 'enabled' ? new Fault('stateConflict', 'errors.allStays') : null,
  source: ({ tx, session }) => ({
    where: seenBy(session),
    joins: {
      m: sql`left join merchant m on m.merchant_no = x.merchant_no`,
      p: sql`left join product p on p.product_no = x.product_no`,
    },
    columns: {
      merchantName: sql`m.merchant_name`,
      productName: sql`p.product_name`,
      billsDue: sql`(select count(*)::int from ${openBills} where ${isOpen} and ${ofRow}
        and b.due_date between ${tx.today} and ${addDays(tx.today, 6)}
        and ${scope(session, { merchant: 'o.merchant_no', holder: orderHolder('o'), perm })})`,
    },
  }),
  versions: {
    prefix: 'MV',
    holds: async (tx, { item, content }) => {
      const max = await mostOverdueDays(tx, item)
      return max !== null && Number(content.extensionToDay) > max
        ? new Fault('validation', 'errors.extensionBeyondProduct', { max })
        : null
    },
    effect: async (tx, { item }) =>
      tx.one(sql<{ openBills: number }>`
        select count(*)::int as open_bills from maturity_config x, ${openBills}
        where x.maturity_no = ${item.maturityNo} and ${isOpen} and ${ofRow}`),
  },
})

const preview = serve(maturity.preview, async ({ tx, session, input }) => {
  const { draft, payoutDate, productNo } = input
  const product = await tx.maybe(sql<{ terms: Terms }>`
    select x.terms from product x where x.product_no = ${productNo} and x.terms is not null and ${seenBy(session)}`)
  if (!product) throw notFound()
  const closed = await closedDays(tx)
  const { terms } = product
  return {
    bills: Array.from({ length: terms.installmentCount }, (_, index) => {
      const termDate = addDays(payoutDate, (index + 1) * periodDays(terms))
      const dueDate = dueDay(termDate, draft.dueShift, closed)
      const reminders = draft.reminderPlan.map(({ dayOffset, ...rest }) => ({
        date: addDays(dueDate, dayOffset),
        ...rest,
      }))
      return {
        installmentNo: index + 1,
        dueDate,
        termDate,
        reminders: reminders.sort((a, b) => (`${a.date} ${a.time}` < `${b.date} ${b.time}` ? -1 : 1)),
        extensionFrom: addDays(dueDate, draft.extensionFromDay),
        extensionTo: addDays(dueDate, draft.extensionToDay),
      }
    }),
  }
})

const load = serve(maturity.load, async ({ tx, session, input }) => {
  const { from, to, maturityNo = null } = input
  if (
    maturityNo &&
    !(await tx.maybe(sql`select 1 from maturity_config x where x.maturity_no = ${maturityNo} and ${seenBy(session)}`))
  )
    throw notFound()
  const rows = await tx.rows(sql<Pick<LoadDay, 'date' | 'count' | 'amount'>>`
    select b.due_date as date, count(*)::int as count,
      sum(b.principal_due + b.interest_due + b.service_fee_due + b.management_fee_due)::numeric(18,2)::text as amount
    from ${openBills} where ${isOpen} and b.due_date between ${from} and ${to}
      and ${scope(session, { merchant: 'o.merchant_no', holder: orderHolder('o'), perm })}
      and (${maturityNo}::text is null or exists (select 1 from maturity_config x where x.maturity_no = ${maturityNo} and ${ofRow}))
    group by b.due_date`)
  const holidays: BusinessValue<'PUBLIC_HOLIDAYS'> = (await businessValue(tx, 'PUBLIC_HOLIDAYS')) ?? []
  const closed = await closedDays(tx)
  const [byDay, named] = [new Map(rows.map(row => [row.date, row])), new Map(holidays.map(one => [one.date, one.name]))]
  return {
    list: daysBetween(from, to).map(date => ({
      date,
      count: byDay.get(date)?.count ?? 0,
      amount: byDay.get(date)?.amount ?? '0.00',
      holiday: named.get(date)?.[session.language] ?? named.get(date)?.en ?? null,
      working: isWorkingDay(date, closed),
    })),
  }
})

/** What happens around the due date, by merchant and product, from a day on. */
export const maturityModule = (): Module => ({ ...config, served: [...config.served, preview, load] })
