import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { type MerchantFilter, merchantFilters, merchants } from '../../../../core/contract/operation/merchant.ts'
import { addDays, startOfEatDay } from '../../../../core/rules/time.ts'
import { waitsUntil } from '../../../approval/visible.ts'
import { snake } from '../../../configs/config-hooks.ts'
import { changesOf, noteChange } from '../../../configs/history.ts'
import { findUpload } from '../../../files/uploads/store.ts'
import { attachUpload, detachUpload, lockReady } from '../../../files/uploads/stored.ts'
import { checkVersion, Fault, notFound } from '../../../http/fault.ts'
import { type Call, serve } from '../../../http/serve.ts'
import { transition } from '../../../states/transition.ts'
import { metBy } from './intake-filters.ts'
import { seenBy } from './merchant-source.ts'

const { merchant } = contract
type Values = Readonly<Record<string, unknown>>
export type Held = Values & { merchantNo: string; version: number; enabled: string; drain: boolean }
type At = Pick<Call, 'tx' | 'session' | 'actor' | 'audit'>

/** The merchant, locked, as the caller saw it; nothing of it waits for a second person. */
export const lockMerchant = async ({ tx, session }: At, merchantNo: string, version: number): Promise<Held> => {
  const row = await tx.maybe(
    sql<Held>`select x.* from merchant x where x.merchant_no = ${merchantNo} and x.deleted_time is null and ${seenBy(session)} for update`,
  )
  if (!row) throw notFound()
  checkVersion(row, version)
  if (await waitsUntil(tx, { objectType: 'merchant', objectNo: merchantNo }))
    throw new Fault('stateConflict', 'errors.approvalWaits')
  return row
}

/** Sets some values of a merchant, with a line of its history. */
export const put = async (
  { tx, actor }: Pick<Call, 'tx' | 'actor'>,
  row: Held,
  values: Values,
  by = actor,
): Promise<number> => {
  const set = { ...values, updatedBy: by.no, updatedTime: tx.now }
  const { version } = await transition(tx, merchants.machine, row, { event: 'item.update', set }, actor)
  const changes = changesOf(Object.keys(values), row, values)
  noteChange(tx, merchants.machine, { objectNo: row.merchantNo, version, event: 'item.update', changes }, by)
  return version
}

const before = (row: Held, values: Values) =>
  Object.fromEntries(Object.keys(values).map(name => [name, row[name] ?? null]))

const saved = async (call: At, merchantNo: string, seen: number, values: Values) => {
  const row = await lockMerchant(call, merchantNo, seen)
  const version = await put(call, row, values)
  call.audit({ objectType: 'merchant', objectNo: merchantNo, before: before(row, values), after: values })
  return { version }
}

const traffic = serve(merchant.traffic, call => {
  const { merchantNo, version, ...values } = call.input
  return saved(call, merchantNo, version, values)
})

const conditionSave = serve(merchant.conditionSave, call => {
  const { merchantNo, version, minContacts = null, settledHours = null, noOverdue } = call.input
  return saved(call, merchantNo, version, { minContacts, settledHours, noOverdue })
})

const filterSave = serve(merchant.filterSave, call => {
  const { merchantNo, version, refusedHereDays, ...modes } = call.input
  const days = modes.refusedHere === 'off' ? null : (refusedHereDays ?? null)
  return saved(call, merchantNo, version, { ...modes, refusedHereDays: days })
})

const logo = serve(merchant.logo, async call => {
  const { tx, input, actor } = call
  const row = await lockMerchant(call, input.merchantNo, input.version)
  await lockReady(tx, input.logo, { purpose: 'logo', userNo: actor.no })
  await attachUpload(tx, input.logo, 'merchant', row.merchantNo, actor)
  const version = await put(call, row, { logoFileNo: input.logo })
  const old = row.logoFileNo as string | null
  if (old && (await findUpload(tx, old)).uploadStatus === 'attached') await detachUpload(tx, old, actor)
  call.audit({
    objectType: 'merchant',
    objectNo: row.merchantNo,
    before: { logoFileNo: old },
    after: { logoFileNo: input.logo },
  })
  return { version }
})

const condition = serve(merchant.condition, async ({ tx, session, input }) => {
  const row = await tx.maybe(sql<OutputOf<typeof merchant.condition>>`
    select x.min_contacts, x.settled_hours, x.no_overdue from merchant x
    where x.merchant_no = ${input.merchantNo} and x.deleted_time is null and ${seenBy(session)}`)
  if (!row) throw notFound()
  return row
})

/** What the refusal filter looks back on where it is off. */
const usualDays = 30

const filters = serve(merchant.filters, async ({ tx, session, input }) => {
  const { merchantNo } = input
  const row = await tx.maybe(sql<{ days: number | null }>`
    select x.refused_here_days as days from merchant x where x.merchant_no = ${merchantNo} and x.deleted_time is null and ${seenBy(session)}`)
  if (!row) throw notFound()
  const met = metBy({
    orderNo: sql`y.order_no`,
    merchantNo: sql`y.merchant_no`,
    customerNo: sql`y.customer_no`,
    deviceId: sql`y.device ->> 'deviceId'`,
    account: sql`y.wallet_account`,
    at: sql`y.apply_time`,
    days: sql`${row.days ?? usualDays}::int`,
  })
  const sums = merchantFilters.map(name => sql`count(*) filter (where ${met[name]})::int as ${sql.ref(snake(name))}`)
  const yesterday = await tx.one(sql<Record<MerchantFilter, number>>`
    select ${sql.join(sums)} from loan_order y where y.merchant_no = ${merchantNo}
      and y.apply_time >= ${startOfEatDay(addDays(tx.today, -1))} and y.apply_time < ${startOfEatDay(tx.today)}`)
  const counted = await tx.rows(sql<{ filter: MerchantFilter; n: number }>`
    select filter, count(*)::int as n from merchant_filter_hit
    where merchant_no = ${merchantNo} and at >= ${startOfEatDay(addDays(tx.today, -6))} group by filter`)
  return {
    list: merchantFilters.map(filter => ({
      filter,
      yesterday: yesterday[filter],
      counted: counted.find(one => one.filter === filter)?.n ?? 0,
    })),
  }
})

const staff = serve(merchant.staff, async ({ tx, session, input }) => {
  const { merchantNo } = input
  const seen = await tx.maybe(
    sql`select 1 from merchant x where x.merchant_no = ${merchantNo} and x.deleted_time is null and ${seenBy(session)}`,
  )
  if (!seen) throw notFound()
  return {
    list: await tx.rows(sql<OutputOf<typeof merchant.staff>['list'][number]>`
      select u.user_no, u.real_name, d.dept_name, u.principal_merchant_no = ${merchantNo} as is_principal
      from app_user u join dept d using (dept_no)
      where u.employee_status = 'on_job' and (u.principal_merchant_no = ${merchantNo}
        or exists (select 1 from user_merchant um where um.user_no = u.user_no and um.merchant_no = ${merchantNo}))
      order by is_principal desc, u.real_name, u.user_no limit 500`),
  }
})

/** What is set of a merchant besides its master data. */
export const settingCalls = [traffic, conditionSave, filterSave, logo, condition, filters, staff]
