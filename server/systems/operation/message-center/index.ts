export { type AppRules, appRulesOf } from './app-rules.ts'
export { carriersOf } from './carriers.ts'
