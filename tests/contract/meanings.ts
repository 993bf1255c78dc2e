import { sql } from 'kysely'
import { contract } from '../../core/contract/contract.ts'
import { orderStatusTypes } from '../../core/contract/dictionaries.ts'
import { metaOf } from '../../core/contract/fields.ts'
import { eatDate } from '../../core/rules/time.ts'
import type { Row } from './crowd.ts'
import type { House } from './house.ts'

const { audit, common, loan, message, order, repay } = contract
type Meaning = (row: Row, value: never) => boolean

const numbersIn = (text: string) => text.split(/[\s,，;；]+/).filter(Boolean)
const named =
  (name: string): Meaning =>
  (row, text: string) =>
    numbersIn(text).includes(String(row[name]))

const ofOrders: Readonly<Record<string, Meaning>> = {
  orderNo: named('orderNo'),
  customerName: (row, text: string) => String(row.customerName).toLowerCase().startsWith(text.trim().toLowerCase()),
  idNumber: (row, text: string) => row.idNumber === text.toUpperCase(),
  orderStatusType: (row, type: keyof typeof orderStatusTypes) =>
    (orderStatusTypes[type] as readonly unknown[]).includes(row.orderStatus),
}

/** What filters mean that are more than a comparison with their column, said once more. */
export const meanings = new Map<unknown, Readonly<Record<string, Meaning>>>([
  [audit.allotList, ofOrders],
  [audit.manageList, ofOrders],
  [audit.selfList, { orderNo: named('orderNo') }],
  [
    repay.page,
    {
      ...ofOrders,
      thirdOrderNo: named('thirdOrderNo'),
      hasOverflow: (row, has: boolean) => Number(row.held) > 0 === has,
      hasFlow: (row, has: boolean) => row.waits === has,
      dueDate: (row, value: [string | null, string | null]) => within(row.dueDate, value),
    },
  ],
  [
    loan.page,
    {
      keyword: (row, text: string) =>
        [row.loanCode, row.orderNo, row.serialNo, row.thirdOrderNo, ...(row.sent as string[])].some(one =>
          numbersIn(text).includes(String(one)),
        ),
    },
  ],
  [message.page, { unread: (row, unread: boolean) => (row.readTime === null) === unread }],
  [order.history, { orderNo: (row, text: string) => row.orderNo !== text }],
  [order.follows, { orderNo: () => true }],
])

const ofOrder = sql`o.*, c.customer_name, c.id_number, c.phone, c.member_level, c.whitelisted, m.app_name`
const orderFrom = sql`loan_order o join customer c using (customer_no) join merchant m on m.merchant_no = o.merchant_no`

/** What the rows of a list hold that it does not show, or only masked. */
const facts = new Map<unknown, { key: string; query: ReturnType<typeof sql> }>([
  [audit.allotList, { key: 'orderNo', query: sql`select ${ofOrder} from ${orderFrom}` }],
  [audit.manageList, { key: 'orderNo', query: sql`select ${ofOrder} from ${orderFrom}` }],
  [audit.selfList, { key: 'orderNo', query: sql`select ${ofOrder} from ${orderFrom}` }],
  [
    repay.page,
    {
      key: 'orderNo',
      query: sql`
        select ${ofOrder}, (select v.credited - v.refunded - v.reapplied from overpayment v where v.customer_no = o.customer_no) as held,
          (exists (select 1 from repay_flow f where f.flow_status in ('available', 'partly_used') and (f.customer_no = o.customer_no or f.payment_code = o.pay_code))) as waits
        from ${orderFrom}`,
    },
  ],
  [
    loan.page,
    {
      key: 'loanCode',
      query: sql`
        select lc.loan_code, lc.fund_account_no, lc.serial_no, c.phone, o.merchant_no, o.product_no, o.loan_kind,
          array(select t.no from gateway_attempt g, lateral (values (g.external_id), (g.serial_no)) t (no) where g.parent_no = lc.loan_code and t.no is not null) as sent
        from loan_code lc join ${orderFrom} on o.order_no = lc.order_no`,
    },
  ],
  [
    repay.flows,
    { key: 'flowNo', query: sql`select flow_no, payer_account, payment_code, fund_account_no from repay_flow` },
  ],
  [
    common.approvals,
    { key: 'approvalNo', query: sql`select approval_no, object_type, object_no, order_no from approval` },
  ],
  [common.auditLog, { key: 'auditNo', query: sql`select audit_no, order_no, object_type, object_no from audit_log` }],
])

/** The rows as they are shown, with what they hold besides. */
export const factsOf = async (house: House, list: unknown, shown: readonly Row[]): Promise<Row[]> => {
  const of = facts.get(list)
  if (!of) return [...shown]
  const found = (await house.rows(of.query)) as Row[]
  const byKey = new Map(found.map(row => [String(row[of.key]), row]))
  return shown.map(row => ({ ...byKey.get(String(row[of.key])), ...row, ...hidden(byKey.get(String(row[of.key]))) }))
}

/** What lists mask. */
const masked = ['phone', 'idNumber', 'customerName', 'payerAccount']
const hidden = (fact: Row = {}) => Object.fromEntries(Object.entries(fact).filter(([name]) => masked.includes(name)))

const below = (a: unknown, b: unknown) =>
  Number.isNaN(Number(a)) || Number.isNaN(Number(b)) ? String(a) < String(b) : Number(a) < Number(b)

function within(value: unknown, [low, high]: readonly [unknown, unknown]): boolean {
  if (value === null || value === undefined) return low === null && high === null
  return !(low !== null && below(value, low)) && !(high !== null && below(high, value))
}

/** Whether a row passes a filter; the rows of another box were not looked through. It passes by what the kind of the filter says where nothing else is said. */
export const passes = (list: unknown, name: string, schema: unknown, row: Row, value: unknown): boolean => {
  if (name === 'box') return true
  const own = meanings.get(list)?.[name]
  if (own) return own(row, value as never)
  const { range, kind } = metaOf(schema as never)
  const held = row[name] ?? null
  if (range) return within(kind === 'time' && held !== null ? eatDate(String(held)) : held, value as [unknown, unknown])
  if (Array.isArray(value)) return value.length === 0 || value.includes(held)
  return held === value
}
