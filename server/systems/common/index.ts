export { businessValue, closedDays } from './business-value.ts'
export { languageRows } from './languages.ts'
export { type MerchantSecrets, merchantSecrets } from './merchant-secret.ts'
