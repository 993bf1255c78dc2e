export { accessLines } from './access-lines.ts'
export { businessValue, closedDays } from './business-value.ts'
export { languageRows, ownLanguages } from './languages.ts'
export { type MerchantSecrets, merchantSecrets } from './merchant-secret.ts'
