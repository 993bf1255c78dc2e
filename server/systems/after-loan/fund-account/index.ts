export { accountScope, usedToday } from './fund-account-source.ts'
