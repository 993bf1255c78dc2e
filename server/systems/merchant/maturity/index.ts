export { byRule, type DueRule, dueRule } from './due-days.ts'
