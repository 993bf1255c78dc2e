import { contract } from '../core/contract/contract.ts'
import type { Endpoint } from '../core/contract/endpoint.ts'
import { addDays, startOfEatDay } from '../core/rules/time.ts'
import { best, bestFrom, bestSum, edge, type List, pageSize } from './million-best.ts'

/** Values of one order in the middle of the fill. */
export type Known = { phone: string; customerName: string; orderNo: string; thirdOrderNo: string; day: string }
export type Case = {
  name: string
  endpoint: Endpoint
  input: Record<string, unknown>
  sql: string[]
  /** Go on from the page of that number instead of asking for one by its number. */
  from?: { pageNum: number; way: 'next' | 'previous'; edge: string }
}

const { audit, repay, loan } = contract
const screens = {
  order: { title: 'OrderManagement', endpoint: audit.manageList, by: 'o.apply_time' },
  repay: { title: 'RepaymentManagement', endpoint: repay.page, by: 'o.payout_time' },
  loan: { title: 'LoanManagement', endpoint: loan.page, by: 'lc.request_time' },
} as const

const filter = (
  list: List,
  name: string,
  input: Record<string, unknown>,
  more: Partial<Parameters<typeof best>[0]>,
): Case => ({
  name: `${screens[list].title} ${name}`,
  endpoint: screens[list].endpoint,
  input,
  sql: best({ list, by: screens[list].by, way: 'desc', ...more }),
})

const pages = (list: List, orders: number): Case[] => {
  const deep = Math.floor((orders * (list === 'order' ? 0.8 : 0.4)) / pageSize)
  const walked = ([500, deep] as const).flatMap(pageNum =>
    (['next', 'previous'] as const).map(way => {
      const from = { list, by: screens[list].by, pageNum, way }
      const asked = filter(list, `${way} page from ${pageNum}`, {}, {})
      return { ...asked, sql: bestFrom(from), from: { pageNum, way, edge: edge(from) } }
    }),
  )
  return [
    ...[1, 2, 500, deep].map(pageNum =>
      filter(list, `page ${pageNum}`, { pageNum }, { pageNum, counts: pageNum * pageSize < 10_001 }),
    ),
    ...walked,
  ]
}

const sorts = (list: List, columns: Record<string, Partial<Parameters<typeof best>[0]>>): Case[] =>
  Object.entries(columns).flatMap(([name, column]) =>
    (['asc', 'desc'] as const).map(way => {
      const sort = `${way === 'desc' ? '-' : ''}${name}`
      return filter(list, `sort ${sort}`, { sort }, { ...column, way })
    }),
  )

const customer = 'join order_customer c using (customer_no, merchant_no)'
const waiting = `join (select order_no, min(due_date) as due_date from repay_plan where bill_status in ('pending', 'partial') group by order_no) nd using (order_no)`

/** Every case with its statements. */
export const cases = (known: Known, orders: number): Case[] => {
  const { phone, orderNo, thirdOrderNo, day } = known
  const [name = ''] = known.customerName.split(' ')
  const prefix = `${known.customerName.slice(0, name.length + 4)}`
  const days = [addDays(day, -6), day] as const
  const between = (column: string) =>
    `${column} >= '${startOfEatDay(days[0])}' and ${column} < '${startOfEatDay(addDays(day, 1))}'`
  const byPhone = { where: `c.phone = '${phone}'`, join: customer, counts: false }
  const sum = (what: string, filters: Record<string, unknown>, where: string): Case => ({
    name: `manageSum ${what}`,
    endpoint: audit.manageSum,
    input: { filters },
    sql: bestSum(where),
  })
  return [
    ...pages('order', orders),
    filter('order', 'status settled', { orderStatus: ['settled'] }, { where: `o.order_status = 'settled'` }),
    filter(
      'order',
      'status pending_review',
      { orderStatus: ['pending_review'] },
      { where: `o.order_status = 'pending_review'` },
    ),
    filter(
      'order',
      'group reviewing',
      { orderStatusType: 'reviewing' },
      { where: `o.order_status in ('machine_reviewing', 'to_be_allocated', 'pending_review')` },
    ),
    filter('order', 'merchant', { merchantNo: ['M6'] }, { where: `o.merchant_no = 'M6'` }),
    filter(
      'order',
      'merchant + status settled',
      { merchantNo: ['M2'], orderStatus: ['settled'] },
      { where: `o.merchant_no = 'M2' and o.order_status = 'settled'` },
    ),
    filter(
      'order',
      'merchant + status loan_failed',
      { merchantNo: ['M6'], orderStatus: ['loan_failed'] },
      { where: `o.merchant_no = 'M6' and o.order_status = 'loan_failed'` },
    ),
    filter(
      'order',
      '2 merchants + 2 statuses',
      { merchantNo: ['M5', 'M6'], orderStatus: ['loan_failed', 'cancelled'] },
      { where: `o.merchant_no in ('M5', 'M6') and o.order_status in ('loan_failed', 'cancelled')` },
    ),
    filter('order', 'phone', { phone }, byPhone),
    filter('order', 'order number', { orderNo }, { where: `o.order_no = '${orderNo}'`, counts: false }),
    filter(
      'order',
      'third-party order number',
      { thirdOrderNo },
      { where: `o.third_order_no = '${thirdOrderNo}'`, counts: false },
    ),
    filter(
      'order',
      'customer name prefix, long',
      { customerName: prefix },
      { where: `lower(c.customer_name) like '${prefix.toLowerCase()}%'`, join: customer },
    ),
    filter(
      'order',
      'customer name prefix, 2 letters',
      { customerName: name.slice(0, 2) },
      { where: `lower(c.customer_name) like '${name.slice(0, 2).toLowerCase()}%'`, join: customer },
    ),
    filter('order', 'applied in 7 days', { applyTime: days }, { where: between('o.apply_time') }),
    filter('order', 'paid out in 7 days', { payoutTime: days }, { where: between('o.payout_time'), few: true }),
    filter('order', 'auditor', { auditorNo: ['A7'] }, { where: `o.auditor_no = 'A7'` }),
    filter('order', 'overdue', { overdue: true }, { where: 'o.overdue' }),
    filter('order', 'refuse code', { refuseCode: 'RC3' }, { where: `o.refuse_code = 'RC3'` }),
    ...sorts('order', {
      applyTime: { by: 'o.apply_time' },
      payoutTime: { by: 'o.payout_time', filled: true },
      auditTime: { by: 'o.audit_time', filled: true },
      loanAmount: { by: 'o.loan_amount' },
      overdueDays: { by: 'o.overdue_days' },
    }),
    sum('of all', {}, 'true'),
    sum('status settled', { orderStatus: ['settled'] }, 'true'),
    sum('merchant', { merchantNo: ['M6'] }, `o.merchant_no = 'M6'`),
    sum('applied in 7 days', { applyTime: days }, between('o.apply_time')),
    ...pages('repay', orders),
    filter(
      'repay',
      'status funds_disbursed',
      { orderStatus: ['funds_disbursed'] },
      { where: `o.order_status = 'funds_disbursed'` },
    ),
    filter('repay', 'phone', { phone }, byPhone),
    filter('repay', 'overdue 1 to 7 days', { overdueDays: [1, 7] }, { where: 'o.overdue_days between 1 and 7' }),
    filter(
      'repay',
      'due in 7 days',
      { dueDate: ['2026-03-02', '2026-03-08'] },
      { where: `nd.due_date between '2026-03-02' and '2026-03-08'`, join: waiting, few: true },
    ),
    ...sorts('repay', {
      payoutTime: { by: 'o.payout_time' },
      overdueDays: { by: 'o.overdue_days' },
      loanAmount: { by: 'o.loan_amount' },
      settledTime: { by: 'o.settled_time', filled: true },
      dueDate: { by: 'nd.due_date', join: waiting },
    }),
    ...pages('loan', orders),
    filter('loan', 'status failed', { loanCodeStatus: ['failed'] }, { where: `lc.loan_code_status = 'failed'` }),
    filter('loan', 'status success', { loanCodeStatus: ['success'] }, { where: `lc.loan_code_status = 'success'` }),
    filter('loan', 'phone', { phone }, { ...byPhone, join: `join loan_order o using (order_no) ${customer}` }),
    filter('loan', 'order number', { keyword: orderNo }, { where: `lc.order_no = '${orderNo}'`, counts: false }),
    ...sorts('loan', {
      requestTime: { by: 'lc.request_time' },
      finishTime: { by: 'lc.finish_time', filled: true },
      actualLoanAmount: { by: 'lc.actual_loan_amount' },
    }),
  ]
}
