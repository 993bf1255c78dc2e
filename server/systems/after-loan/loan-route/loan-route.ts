import { sql } from 'kysely'
import { loanRoutes } from '../../../../core/contract/after-loan/loan-route.ts'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { json } from '../../../db/json.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { serveListed } from '../../../lists/listed.ts'
import type { Deps, Module } from '../../../module.ts'
import { merchantsOf } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { loanScope } from '../payout/desk/loan-source.ts'
import { channelList, limitCommand, pauseCommand, resumeCommand } from './payout-channels.ts'
import { conditions, routesInForce, routesToday, routeTarget, usable } from './route-target.ts'

const { loanRoute } = contract
const { page } = loanRoutes.codes
type Values = Record<string, unknown>
type Target = { fundAccountNo: string; weight: number }

/** A route that takes payouts of merchants out of reach is for others to change. */
const mayChange = (session: Session, { merchantNos }: Values): Fault | null => {
  const own = merchantsOf(session, page)
  const named = (merchantNos ?? []) as readonly string[]
  if (!own) return null
  return named.length && named.every(no => own.includes(no)) ? null : new Fault('forbidden', 'errors.headquartersOnly')
}

/** Refuses what there is not: accounts that pay nothing out, merchants, products of other merchants, a priority that is taken. */
const checkRoute = async (tx: Tx, form: Values, routeNo: string | null): Promise<void> => {
  const { merchantNos, productNos, targets, priority } = form as {
    merchantNos?: readonly string[]
    productNos?: readonly string[]
    targets: readonly Target[]
    priority: number
  }
  const counted = async (names: readonly string[], query: ReturnType<typeof sql<{ n: number }>>) =>
    (await tx.one(query)).n === new Set(names).size
  const merchants = [...(merchantNos ?? [])]
  const products = [...(productNos ?? [])]
  const accounts = targets.map(one => one.fundAccountNo)
  if (!(await counted(merchants, sql`select count(*)::int as n from merchant where merchant_no = any(${merchants})`)))
    throw invalid('merchantNos', 'validation.wrongValue')
  const ofThese = merchants.length ? sql`merchant_no = any(${merchants})` : sql`true`
  if (
    !(await counted(
      products,
      sql`select count(*)::int as n from product where product_no = any(${products}) and ${ofThese}`,
    ))
  )
    throw invalid('productNos', 'validation.wrongValue')
  const channel = form.payoutType === 'bank' ? sql`channel = 'bank_file'` : sql`channel <> 'bank_file'`
  const paying = sql<{ n: number }>`
    select count(*)::int as n from fund_account
    where fund_account_no = any(${accounts}) and deleted_time is null and account_role in ('payout', 'both') and ${channel}`
  if (!(await counted(accounts, paying))) throw invalid('targets', 'validation.accountUnfit')
  const taken = await tx.maybe(sql`
    select 1 from loan_route where priority = ${priority} and deleted_time is null and route_no is distinct from ${routeNo}`)
  if (taken) throw invalid('priority', 'validation.routePriority')
}

const names = (table: string, label: string, key: string, column: string) => sql`
  array(select n.${sql.ref(label)} from ${sql.table(table)} n where n.${sql.ref(key)} = any(x.${sql.ref(column)}) order by 1)`

const config = serveConfig(loanRoutes, {
  prefix: 'RT',
  unique: 'priority',
  mayChange: ({ session }, values) => mayChange(session, values),
  check: ({ tx }, form, before) => checkRoute(tx, form, before ? String(before.routeNo) : null),
  derived: values => ({
    ...('merchantNos' in values ? { merchantNos: orNull(values.merchantNos) } : {}),
    ...('productNos' in values ? { productNos: orNull(values.productNos) } : {}),
  }),
  source: ({ session }) => {
    const own = merchantsOf(session, page)
    return {
      where: own ? sql`(x.merchant_nos is null or x.merchant_nos && ${[...own]}::text[])` : sql`true`,
      columns: {
        merchantNames: names('merchant', 'merchant_name', 'merchant_no', 'merchant_nos'),
        productNames: names('product', 'product_name', 'product_no', 'product_nos'),
        targetNames: sql`array(
          select fa.account_name || ' ' || (t.value ->> 'weight') || '%' from jsonb_array_elements(x.targets) with ordinality t(value, at)
            join fund_account fa on fa.fund_account_no = t.value ->> 'fundAccountNo' order by t.at)`,
        sentLately: sql`(
          select count(*)::int from loan_code lc join loan_order o on o.order_no = lc.order_no
          where lc.route_no = x.route_no and lc.attempt_no > 0 and lc.request_time > now() - interval '30 days' and ${loanScope(session)})`,
      },
      filters: {
        merchantNo: (nos: readonly string[]) =>
          nos.length ? sql`(x.merchant_nos is null or x.merchant_nos && ${[...nos]}::text[])` : null,
      } as never,
    }
  },
})

const orNull = (list: unknown) => {
  const values = [...new Set((list ?? []) as readonly string[])].sort()
  return values.length ? values : null
}

/** A payout that there is not, as the conditions read one. */
const imagined = (given: {
  merchantNo: string
  productNo?: string | undefined
  payoutSubtype: string
  amount: string
  loanKind?: string | undefined
}) => sql`
  (select ${given.payoutSubtype === 'bank_transfer' ? 'bank' : 'wallet'}::text as payout_type, ${given.payoutSubtype}::text as payout_subtype,
    ${given.amount}::numeric(18,2) as actual_loan_amount, 'dry run'::text as loan_code) lc
  cross join (select ${given.merchantNo}::text as merchant_no, ${given.productNo ?? null}::text as product_no, ${given.loanKind ?? null}::text as loan_kind) o`

const test = serve(loanRoute.test, async ({ tx, session, input }) => {
  const own = merchantsOf(session, page)
  if (own && !own.includes(input.merchantNo)) throw invalid('merchantNo', 'validation.wrongValue')
  const one = imagined(input)
  const miss = sql.join(
    conditions.map(([name, holds]) => sql`when not coalesce(${holds}, false) then ${name}`),
    sql` `,
  )
  const named = (only: ReturnType<typeof sql>) => sql`array(
    select fa.account_name from jsonb_array_elements(r.targets) with ordinality t(value, at) join fund_account fa on fa.fund_account_no = t.value ->> 'fundAccountNo'
    where ${only} order by t.at)`
  const list = await tx.rows(sql<OutputOf<typeof loanRoute.test>['list'][number]>`
    select r.route_no, r.route_name, r.priority, ${named(sql`true`)} as target_names, ${named(usable(tx, sql`fa.fund_account_no`, 'now'))} as usable_names,
      case when r.enabled <> 'enabled' then 'disabled' when r.effective_date > ${tx.today} then 'not_yet' ${miss} end as route_miss
    from ${one} cross join loan_route r
    where r.deleted_time is null and ${own ? sql`(r.merchant_nos is null or r.merchant_nos && ${[...own]}::text[])` : sql`true`}
    order by r.priority limit 200`)
  const inForce = await routesInForce(tx)
  const found = await tx.maybe(sql<{ routeNo: string; usable: boolean; reason: string | null }>`
    select t.route_no, t.usable, case when t.usable then null when fa.fund_account_no is null then 'no_route'
      when ch.enabled <> 'enabled' or ch.pause_status = 'paused' then 'channel_paused'
      when fa.short_amount is not null or coalesce(b.balance, 0) < ${input.amount}::numeric then 'short_balance' else 'cap_reached' end as reason
    from ${one} cross join lateral ${routeTarget(tx)} t
      left join fund_account fa on fa.fund_account_no = t.fund_account_no left join channel ch on ch.channel = fa.channel
      left join ledger_balance b on b.account_code = 'bank:' || fa.fund_account_no`)
  const waitReason = (found ? found.reason : inForce ? 'no_route' : null) as 'no_route' | null
  return { inForce, routeNo: found?.routeNo ?? null, waitReason, list }
})

/** Payouts that a change is played over. */
const played = 1_000

const simulate = serve(loanRoute.simulate, async ({ tx, session, input }) => {
  const { routeNo = null, ...form } = input
  const { merchantNos, productNos, network = null, amountMin = null, amountMax = null, loanKind = null } = form
  const columns = sql`route_no, merchant_nos, product_nos, payout_type, network, amount_min, amount_max, loan_kind, targets, fallback, priority`
  const now = sql`(select ${columns} from ${routesToday(tx)} c)`
  const then = sql`(
    select ${columns} from ${routesToday(tx)} c where c.route_no is distinct from ${routeNo}
    union all select 'form', ${orNull(merchantNos)}::text[], ${orNull(productNos)}::text[], ${form.payoutType}, ${network}::text, ${amountMin}::numeric, ${amountMax}::numeric,
      ${loanKind}::text, ${json(form.targets)}::jsonb, ${form.fallback}, ${form.priority}::int)`
  return tx.one(sql<{ payouts: number; changed: number }>`
    select count(*)::int as payouts, count(*) filter (where b.fund_account_no is distinct from coalesce(a.fund_account_no, lc.fund_account_no))::int as changed
    from (
      select lc.* from loan_code lc join loan_order o on o.order_no = lc.order_no
      where lc.attempt_no > 0 and ${loanScope(session)} order by lc.request_time desc, lc.loan_code limit ${played}) lc
      join loan_order o on o.order_no = lc.order_no
      left join lateral ${routeTarget(tx, { routes: now, when: 'ever' })} a on true
      left join lateral ${routeTarget(tx, { routes: then, when: 'ever' })} b on true`)
})

/** By which account each payout leaves, and the red switch of a channel. */
export const loanRouteModule = ({ payout }: Pick<Deps, 'payout'>): Module => ({
  ...config,
  lists: [...config.lists, channelList(payout)],
  served: [
    ...config.served,
    serveListed(channelList(payout)),
    test,
    simulate,
    pauseCommand,
    resumeCommand(payout),
    limitCommand,
  ],
})
