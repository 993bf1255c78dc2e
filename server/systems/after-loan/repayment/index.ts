export {
  creditOverflow,
  freeOf,
  lockOverpayment,
  type Overpayment,
  payOverflow,
  releaseOverflow,
  reserveOverflow,
} from './overflow.ts'
export {
  billsOfOrder,
  journalsOfOrder,
  leftOf,
  outstandingColumn,
  outstandingOf,
  recordsOfOrder,
} from './repay-source.ts'
