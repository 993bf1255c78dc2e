import type { OrderSummary, orderBrief } from '../../core/contract/order/order-brief.ts'

type Name = keyof OrderSummary & keyof typeof orderBrief.summary.output.shape

const always: readonly Name[] = [
  'thirdOrderNo',
  'merchantName',
  'productName',
  'customerName',
  'loanKind',
  'memberLevel',
  'requestedAmount',
  'loanAmount',
  'actualLoanAmount',
  'term',
  'installmentCount',
]
const onLoan: readonly Name[] = ['outstanding', 'nextDueDate', 'dueAmount', 'overdueDays']

/** What everybody asks first about an order; what is owed only once it was paid out. */
export const stripNames = (summary: OrderSummary): readonly Name[] =>
  summary.outstanding === null ? always : [...always, ...onLoan]
