import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { merchantLoanLimit as machine } from '../../../../core/rules/machines/operation/merchant-loan-limit.ts'
import { formatMoney, gt, lt, type Money } from '../../../../core/rules/money.ts'
import { requestApproval } from '../../../approval/approval.ts'
import { waitsUntil } from '../../../approval/visible.ts'
import { changesOf, noteChange } from '../../../configs/history.ts'
import type { Tx } from '../../../db/database.ts'
import { violatedConstraint } from '../../../db/faults.ts'
import { checkVersion, Fault, invalid, notFound } from '../../../http/fault.ts'
import { type Call, serve, serveEach } from '../../../http/serve.ts'
import { serveListed } from '../../../lists/listed.ts'
import type { ApprovalAction, Module } from '../../../module.ts'
import { newNo } from '../../../money/numbers.ts'
import type { Actor } from '../../../rights/actor.ts'
import { create, requireEvent, transition } from '../../../states/transition.ts'
import { history, limitPage, noun, seenBy, today } from './limit-list.ts'
import { organizationLimit, organizationLimitApproval, organizationRoom } from './organization-limit.ts'

const { loanLimit } = contract
type Values = Readonly<Record<string, unknown>>
type Limit = {
  limitNo: string
  merchantNo: string
  productNo: string | null
  loanKind: string | null
  dailyLimit: Money | null
  dailyPayouts: number | null
  outstandingLimit: Money | null
  dayDate: string | null
  dayLimit: Money | null
  dayPayouts: number | null
  suspendStatus: string
  suspendReason: string | null
  version: number
}
const fields = ['dailyLimit', 'dailyPayouts', 'outstandingLimit', 'dayDate', 'dayLimit', 'dayPayouts', 'suspendReason']

const lock = async ({ tx, session }: Pick<Call, 'tx' | 'session'>, limitNo: string): Promise<Limit> => {
  const row = await tx.maybe(sql<Limit>`
    select l.* from merchant_loan_limit l where l.limit_no = ${limitNo} and ${seenBy(session)} for update of l`)
  if (!row) throw notFound()
  return row
}
const lockAny = async (tx: Tx, limitNo: string): Promise<Limit> => {
  const row = await tx.maybe(sql<Limit>`select * from merchant_loan_limit where limit_no = ${limitNo} for update`)
  if (!row) throw notFound()
  return row
}

/** Whether one value allows more than the other; without a value there is no limit. */
const isMore = (after: Money | number | null, before: Money | number | null): boolean => {
  if (before === null) return false
  return after === null || (typeof after === 'number' ? after > Number(before) : gt(after, String(before)))
}

/** Payouts on their way have taken their part already: a limit below them could not be kept. */
const checkReserved = async (tx: Tx, limitNo: string, most: Money, path: string) => {
  const { reserved } = await tx.one(sql<{ reserved: Money }>`
    select coalesce(sum(t.amount), 0)::numeric(18,2) as reserved from merchant_loan_take t join gateway_attempt a using (external_id)
    where t.limit_no = ${limitNo} and t.returned_time is null and t.business_date = ${tx.today} and a.attempt_status in ('prepared', 'sent', 'unknown')`)
  if (lt(most, reserved)) throw invalid(path, 'errors.limitBelowReserved', { amount: formatMoney(reserved) })
}

/** Changes a locked limit, with its line in the history. */
const put = async (
  { tx, actor }: { tx: Tx; actor: Actor },
  row: Limit,
  move: { event: string; as?: string; set: Values },
  by = actor,
) => {
  const set = { ...move.set, updatedBy: by.no, updatedTime: tx.now }
  const { version } = await transition(tx, machine, row, { ...move, set }, actor)
  const names = fields.filter(name => name in move.set)
  const changes = changesOf(names, row, { ...row, ...move.set })
  noteChange(tx, machine, { objectNo: row.limitNo, version, event: move.event, changes }, by)
  return version
}

const lines = (row: Limit, set: Values) =>
  Object.entries(set).map(([name, value]) => {
    const shown = (one: unknown) =>
      one === null || one === undefined
        ? null
        : typeof one === 'string' && name !== 'dayDate'
          ? `UGX ${formatMoney(one)}`
          : String(one)
    return { label: `fields.${name}`, before: shown((row as Values)[name]), after: shown(value) }
  })

/** Lowers at once; a higher limit waits for a second person. */
const set = async (call: Call, row: Limit, values: Values, isHigher: boolean) => {
  const { tx } = call
  if (await waitsUntil(tx, { objectType: noun, objectNo: row.limitNo }))
    throw new Fault('stateConflict', 'errors.approvalWaits')
  const noted = (after: Values) =>
    call.audit({ objectType: noun, objectNo: row.limitNo, before: pick(row, Object.keys(values)), after })
  if (!isHigher) {
    const version = await put(call, row, { event: 'limit.set', as: 'lower', set: values })
    noted(values)
    return { version, approvalNo: null }
  }
  await organizationRoom(tx, row, values)
  const approvalNo = await requestApproval(call, {
    action: 'loanLimit.set',
    perm: 'org:loanLimit:update',
    objectType: noun,
    objectNo: row.limitNo,
    merchantNo: row.merchantNo,
    version: row.version,
    payload: { set: values, version: row.version },
    summary: lines(row, values),
  })
  noted({ approvalNo })
  return { version: row.version, approvalNo }
}
const pick = (row: Limit, names: readonly string[]): Values =>
  Object.fromEntries(names.map(name => [name, (row as Values)[name] ?? null]))

const save = serve(loanLimit.save, async call => {
  const { tx, input } = call
  const row = await lock(call, input.limitNo)
  checkVersion(row, input.version)
  const values = {
    dailyLimit: input.dailyLimit,
    dailyPayouts: input.dailyPayouts ?? null,
    outstandingLimit: input.outstandingLimit ?? null,
  }
  if (row.dayDate !== tx.today) await checkReserved(tx, row.limitNo, input.dailyLimit, 'dailyLimit')
  const isHigher = (['dailyLimit', 'dailyPayouts', 'outstandingLimit'] as const).some(name =>
    isMore(values[name], row[name]),
  )
  return set(call, row, values, isHigher)
})

const day = serve(loanLimit.day, async call => {
  const { tx, input } = call
  const row = await lock(call, input.limitNo)
  checkVersion(row, input.version)
  await checkReserved(tx, row.limitNo, input.dayLimit, 'dayLimit')
  const values = { dayDate: tx.today, dayLimit: input.dayLimit, dayPayouts: input.dayPayouts ?? null }
  const isToday = row.dayDate === tx.today
  const [amount, count] = isToday ? [row.dayLimit, row.dayPayouts] : [row.dailyLimit, row.dailyPayouts]
  return set(call, row, values, isMore(values.dayLimit, amount) || isMore(values.dayPayouts, count))
})

const add = serve(loanLimit.add, async call => {
  const { tx, session, input, actor } = call
  if (!input.productNo && !input.loanKind) throw invalid('productNo', 'errors.limitNarrower')
  const merchant = await tx.maybe(sql`
    select 1 from merchant m where m.merchant_no = ${input.merchantNo} and m.deleted_time is null and ${seenBy(session, 'm.merchant_no')}`)
  if (!merchant) throw invalid('merchantNo', 'validation.wrongValue')
  if (input.productNo) {
    const product = await tx.maybe(
      sql`select 1 from product where product_no = ${input.productNo} and merchant_no = ${input.merchantNo} and deleted_time is null`,
    )
    if (!product) throw invalid('productNo', 'validation.wrongValue')
  }
  const limitNo = newNo('LL', tx.now)
  const row = { limitNo, ...input, createdTime: tx.now, updatedBy: actor.no, updatedTime: tx.now }
  try {
    await create(tx, machine, row, { event: 'limit.create' }, actor)
  } catch (error) {
    if (violatedConstraint(error) === 'merchant_loan_limit_of') throw invalid('productNo', 'errors.dataExists')
    throw error
  }
  await takenToday(tx, limitNo)
  const changes = changesOf(['dailyLimit', 'dailyPayouts', 'outstandingLimit'], null, input)
  noteChange(tx, machine, { objectNo: limitNo, version: 0, event: 'limit.create', changes }, actor)
  call.audit({ objectType: noun, objectNo: limitNo, after: { ...input } })
  return { limitNo }
})

/** What went out today before the limit was there counts for it too. The merchant's own limit is locked, so that nothing goes out meanwhile. */
const takenToday = async (tx: Tx, limitNo: string) => {
  await tx.rows(sql`
    select o.limit_no from merchant_loan_limit l join merchant_loan_limit o on o.merchant_no = l.merchant_no
    where l.limit_no = ${limitNo} order by o.limit_no for update of o`)
  await tx.exec(sql`
    insert into merchant_loan_take (external_id, limit_no, business_date, amount, taken_time)
    select distinct on (t.external_id) t.external_id, l.limit_no, t.business_date, t.amount, t.taken_time
    from merchant_loan_limit l join merchant_loan_limit own on own.merchant_no = l.merchant_no
      join merchant_loan_take t on t.limit_no = own.limit_no and t.returned_time is null and t.business_date = ${tx.today}
      join gateway_attempt a on a.external_id = t.external_id join loan_code lc on lc.loan_code = a.parent_no join loan_order o on o.order_no = lc.order_no
    where l.limit_no = ${limitNo} and own.limit_no <> l.limit_no
      and (l.product_no is null or l.product_no = o.product_no) and (l.loan_kind is null or l.loan_kind = o.loan_kind)`)
  await tx.exec(sql`
    insert into merchant_loan_usage (limit_no, business_date, used_amount, used_count)
    select limit_no, business_date, sum(amount), count(*) from merchant_loan_take where limit_no = ${limitNo} group by 1, 2`)
}

const suspend = serveEach(loanLimit.suspend, {
  ids: ({ limitNos }) => [...new Set(limitNos)],
  async row(limitNo, call) {
    const row = await lock(call, limitNo)
    const { reason } = call.input
    await put(call, row, { event: 'limit.suspend', set: { suspendReason: reason } })
    call.audit({ objectType: noun, objectNo: limitNo, before: { suspendStatus: row.suspendStatus }, after: { reason } })
  },
})

const resume = serveEach(loanLimit.resume, {
  ids: ({ limitNos }) => [...new Set(limitNos)],
  async row(limitNo, call) {
    const row = await lock(call, limitNo)
    requireEvent(machine, row.suspendStatus, 'limit.resume')
    const approvalNo = await requestApproval(call, {
      action: 'loanLimit.resume',
      perm: 'org:loanLimit:suspend',
      objectType: noun,
      objectNo: limitNo,
      merchantNo: row.merchantNo,
      version: row.version,
      payload: { version: row.version },
      summary: [
        {
          label: 'fields.suspendStatus',
          before: 'dict.LOAN_LIMIT_STATUS.suspended',
          after: 'dict.LOAN_LIMIT_STATUS.open',
        },
        { label: 'fields.suspendReason', before: row.suspendReason, after: null },
      ],
    })
    call.audit({ objectType: noun, objectNo: limitNo, after: { approvalNo } })
  },
})

const raised: ApprovalAction = {
  action: 'loanLimit.set',
  perm: 'org:loanLimit:update',
  money: true,
  async execute(tx, { objectNo, payload, maker, checker }) {
    const row = await lockAny(tx, objectNo)
    checkVersion(row, Number(payload.version))
    const values = payload.set as Values
    if (values.dayDate !== undefined && values.dayDate !== tx.today)
      throw new Fault('stateConflict', 'errors.limitDayOver')
    await organizationRoom(tx, row, values)
    await put({ tx, actor: checker }, row, { event: 'limit.set', as: 'higher', set: values }, maker)
  },
}

const resumed: ApprovalAction = {
  action: 'loanLimit.resume',
  perm: 'org:loanLimit:suspend',
  money: true,
  async execute(tx, { objectNo, payload, maker, checker }) {
    const row = await lockAny(tx, objectNo)
    checkVersion(row, Number(payload.version))
    await put({ tx, actor: checker }, row, { event: 'limit.resume', set: { suspendReason: null } }, maker)
  },
}

/** How much a merchant may pay out: set by the day, narrowed by product and kind of loan, closed and opened by hand. */
export const loanLimitModule = (): Module => ({
  served: [serveListed(limitPage), today, history, add, save, day, suspend, resume, organizationLimit],
  lists: [limitPage],
  approvals: [raised, resumed, organizationLimitApproval],
})
