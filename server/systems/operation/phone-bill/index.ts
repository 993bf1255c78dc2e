export { phoneBillSeen, phoneBillSender } from './phone-bill-store.ts'
