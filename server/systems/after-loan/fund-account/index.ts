export { accountScope, leftToday } from './fund-account-source.ts'
