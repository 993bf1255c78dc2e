export { refundReaders, refundScope } from './refund-store.ts'
