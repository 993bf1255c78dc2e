export { formatMoney, parseMoneyInput, sum } from './money.ts'
