export { billsOfOrder, journalsOfOrder, outstandingColumn, outstandingOf, recordsOfOrder } from './repay-source.ts'
