export { type AppRules, appRulesOf } from './app-rules.ts'
export { offersWait } from './balance.ts'
export { carriersOf, heldAccounts } from './carriers.ts'
