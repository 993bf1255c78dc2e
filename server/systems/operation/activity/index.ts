export { hearOf, hearUndone } from './heard.ts'
