import type { ReleasedOrder } from '../../../../core/contract/after-loan/loan.ts'
import { eq, formatMoney } from '../../../../core/rules/money.ts'
import { addDays, eatDate } from '../../../../core/rules/time.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import type { Said } from '../payout/desk/confirm.ts'
import type { HeldCode } from '../payout/desk/loan-source.ts'

type Doubted = { order: Pick<HeldCode['order'], 'orderNo' | 'auditTime'>; code: HeldCode['code'] }

/** Whether a row speaks of this order and its payout. */
export const checkOrder = ({ order, code }: Doubted, row: ReleasedOrder): void => {
  if (row.orderNo !== order.orderNo) throw invalid('orderNo', 'validation.notItsOrder', { loanCode: code.loanCode })
  if (row.amount !== undefined && !eq(row.amount, code.actualLoanAmount))
    throw invalid('amount', 'validation.amountMustBe', { amount: formatMoney(code.actualLoanAmount) })
  if (!order.auditTime) throw invalid('payoutTime', 'validation.auditTimeEmpty')
  if (row.payoutTime !== undefined && Date.parse(row.payoutTime) < Date.parse(order.auditTime))
    throw invalid('payoutTime', 'validation.payoutBeforeAudit')
  if (code.loanCodeStatus === 'created') throw new Fault('stateConflict', 'errors.downloadBankFile')
}

/** What a row says, with the day of the statement that shows it: of the payment, or the last that is closed. */
export const saidBy = (row: ReleasedOrder, today: string): Said => {
  if (row.result === 'success' && row.payoutTime === undefined)
    throw invalid('payoutTime', 'validation.payoutTimeEmpty')
  const statementDate = row.payoutTime === undefined ? addDays(today, -1) : eatDate(row.payoutTime)
  if (row.result === 'failed') return { result: 'failure', statementDate }
  return { result: 'success', statementDate, ...(row.serialNo === undefined ? {} : { serialNo: row.serialNo }) }
}
