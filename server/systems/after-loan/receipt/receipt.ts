import { sql } from 'kysely'
import { receipt as calls } from '../../../../core/contract/after-loan/receipt.ts'
import type { Paper } from '../../../../core/contract/common/paper.ts'
import { type Language, languages } from '../../../../core/i18n/language.ts'
import { words } from '../../../../core/i18n/server.ts'
import { type Component, components } from '../../../../core/rules/loan/components.ts'
import { formatMoney, isZero, type Money } from '../../../../core/rules/money.ts'
import { eatDate, eatDateTime } from '../../../../core/rules/time.ts'
import { pdfFile } from '../../../files/paper/paper.ts'
import { Fault, notFound } from '../../../http/fault.ts'
import { serve, serveDownload } from '../../../http/serve.ts'
import type { Reader } from '../../../lists/listed.ts'
import type { Module } from '../../../module.ts'
import { orderScope } from '../../order/order/index.ts'

type Loan = {
  orderNo: string
  orderStatus: string
  customerName: string
  appName: string
  lenderName: string | null
  loanAmount: Money
  payoutTime: string
  settledTime: string | null
  spoken: string | null
}
type Part = { component: Component; applied: Money; waived: Money }
type Repaid = Loan & {
  amount: Money
  overflowAmount: Money
  couponAmount: Money
  extensionFee: Money
  outstandingAfter: Money
  valueDate: string
  repaymentTime: string
  rolledBackTime: string | null
  serials: string[]
  parts: Part[]
}

const shillings = (amount: Money) => `UGX ${formatMoney(amount)}`

/** What both papers say of a loan `o`; its lender is whom the account belongs to that it was paid out from. */
const loanColumns = sql`o.order_no, o.order_status, c.customer_name, m.app_name, o.loan_amount, o.payout_time, o.settled_time, o.device ->> 'language' as spoken, (
  select f.lender_name from loan_code lc join fund_account f using (fund_account_no) where lc.order_no = o.order_no and lc.loan_code_status in ('success', 'reversing')) as lender_name`
const loanFrom = sql`loan_order o join customer c using (customer_no) join merchant m on m.merchant_no = o.merchant_no`

const reachOf = (session: Reader['session']) =>
  orderScope(session, session.perms.has('repay:order:page') ? 'repay:order:page' : 'repay:bill:page')

/** The language of the phone that the order came from; English where that is none of ours. */
const languageOf = ({ spoken }: Loan): Language =>
  languages.find(one => spoken?.toLowerCase().split(/[-_]/)[0] === one) ?? 'en'

const receiptOf = async ({ tx, session }: Reader, repaymentNo: string): Promise<{ paper: Paper; of: Loan }> => {
  const of = await tx.maybe(sql<Repaid>`
    select ${loanColumns}, r.amount, r.overflow_amount, r.coupon_amount, r.extension_fee, r.trial ->> 'outstandingAfter' as outstanding_after, r.value_date, r.repayment_time, r.rolled_back_time,
      array(select f.serial_no from repay_record_flow rf join repay_flow f using (flow_no) where rf.repayment_no = r.repayment_no order by 1) as serials,
      coalesce((select jsonb_agg(jsonb_build_object('component', s.component, 'applied', s.applied::text, 'waived', s.waived::text))
        from (select component, sum(applied) as applied, sum(waived) as waived from repay_record_line where repayment_no = r.repayment_no group by component) s), '[]') as parts
    from repay_record r join ${loanFrom} on o.order_no = r.order_no where r.repayment_no = ${repaymentNo} and ${reachOf(session)}`)
  if (!of) throw notFound()
  const t = words(languageOf(of))
  const more = (label: string, amount: Money) => (isZero(amount) ? [] : [{ label, value: shillings(amount) }])
  const parts = [...components].reverse().flatMap(name => of.parts.filter(part => part.component === name))
  return {
    of,
    paper: {
      title: t('receipt.title'),
      lead: of.rolledBackTime ? t('receipt.reversedOn', { time: eatDateTime(of.rolledBackTime) }) : null,
      facts: [
        { label: t('fields.repaymentNo'), value: repaymentNo },
        ...(of.lenderName ? [{ label: t('fields.lenderName'), value: of.lenderName }] : []),
        { label: t('fields.merchantName'), value: of.appName },
        { label: t('fields.customerName'), value: of.customerName },
        { label: t('fields.order'), value: of.orderNo },
        { label: t('receipt.received'), value: shillings(of.amount) },
        { label: t('fields.valueDate'), value: of.valueDate },
        ...(of.serials.length ? [{ label: t('fields.serialNo'), value: of.serials.join(', ') }] : []),
        ...more(t('fields.extensionFee'), of.extensionFee),
        ...more(t('fields.couponAmount'), of.couponAmount),
        ...more(t('fields.overflowAmount'), of.overflowAmount),
        { label: t('afterLoan.outstandingAfter'), value: shillings(of.outstandingAfter) },
      ],
      table: {
        columns: [t('receipt.appliedTo'), t('fields.paid'), t('fields.waived')],
        rows: parts.map(({ component, applied, waived }) => [
          t(`dict.COMPONENT.${component}`),
          formatMoney(applied),
          formatMoney(waived),
        ]),
      },
      notes: [t('receipt.printed', { time: eatDateTime(tx.now) })],
      code: repaymentNo,
    },
  }
}

const clearanceOf = async ({ tx, session }: Reader, orderNo: string): Promise<{ paper: Paper; of: Loan }> => {
  const of = await tx.maybe(sql<Loan>`
    select ${loanColumns} from ${loanFrom} where o.order_no = ${orderNo} and ${reachOf(session)}`)
  if (!of) throw notFound()
  if (of.orderStatus !== 'settled' || !of.settledTime) throw new Fault('stateConflict', 'errors.notSettled')
  const t = words(languageOf(of))
  const settledDate = eatDate(of.settledTime)
  return {
    of,
    paper: {
      title: t('receipt.clearanceTitle'),
      lead: t('receipt.cleared', { name: of.customerName, date: settledDate }),
      facts: [
        { label: t('fields.order'), value: of.orderNo },
        ...(of.lenderName ? [{ label: t('fields.lenderName'), value: of.lenderName }] : []),
        { label: t('fields.merchantName'), value: of.appName },
        { label: t('fields.customerName'), value: of.customerName },
        { label: t('fields.loanAmount'), value: shillings(of.loanAmount) },
        { label: t('fields.payoutTime'), value: eatDate(of.payoutTime) },
        { label: t('fields.settledTime'), value: settledDate },
      ],
      table: null,
      notes: [t('receipt.printed', { time: eatDateTime(tx.now) })],
      code: orderNo,
    },
  }
}

const receipt = serve(calls.receipt, async ({ tx, session, input }) => {
  return (await receiptOf({ tx, session }, input.repaymentNo)).paper
})
const clearance = serve(calls.clearance, async ({ tx, session, input }) => {
  return (await clearanceOf({ tx, session }, input.orderNo)).paper
})

const receiptFile = serveDownload(calls.receiptFile, 'repay.receipt', async ({ tx, session, input, audit }) => {
  const { paper, of } = await receiptOf({ tx, session }, input.repaymentNo)
  audit({ objectType: 'repaymentRecord', objectNo: input.repaymentNo, orderNo: of.orderNo })
  return pdfFile(paper, `${paper.title} ${input.repaymentNo}`)
})
const clearanceFile = serveDownload(calls.clearanceFile, 'repay.clearance', async ({ tx, session, input, audit }) => {
  const { paper } = await clearanceOf({ tx, session }, input.orderNo)
  audit({ objectType: 'order', objectNo: input.orderNo, orderNo: input.orderNo })
  return pdfFile(paper, `${paper.title} ${input.orderNo}`)
})

/** What a customer is given on paper: a receipt of each repayment, and a letter once nothing is owed. */
export const receiptModule = (): Module => ({ served: [receipt, clearance, receiptFile, clearanceFile] })
