export { type AppRules, appRulesOf } from './app-rules.ts'
export { offersWait } from './balance.ts'
export { carriersOf } from './carriers.ts'
