import { isPositive, isZero, type Money, neg, sum } from '../amount.ts'
import type { EatDate } from '../time.ts'
import { accounts, type LedgerKey, ledgerKeys, readAccount } from './accounts.ts'
import { type PostingCode, type PostingRule, postings } from './postings.ts'

/** What one line is found by. */
export type LedgerKeys = Partial<Record<LedgerKey, string>>
/** One line: an amount on an account, debit plus and credit minus, and what it is found by. */
export type LedgerLine = { account: string; amount: Money; component?: string } & LedgerKeys
/** A posting as it is checked before it is written. */
export type Checked = { code: PostingCode; valueDate?: EatDate; lines: readonly LedgerLine[] }

/** Accounts whose lines name a bill where their posting is about bills. */
const billedKinds = ['principal', 'interest_rcv', 'fee_rcv', 'penalty_rcv', 'deferred_interest', 'deferred_fee']

const flawOfLine = (rule: PostingRule, line: LedgerLine): string | null => {
  const account = readAccount(line.account)
  if (!account) return `there is no account ${line.account}`
  const { kind, of } = account
  const declared = accounts[kind]
  const side = isPositive(line.amount) ? 'debit' : 'credit'
  const allowed = rule.inverse ? [...rule.debit, ...rule.credit] : rule[side]
  if (!allowed.includes(kind)) return `does not ${side} ${kind}`
  const known =
    'of' in declared && (ledgerKeys as readonly string[]).includes(declared.of) ? (declared.of as LedgerKey) : null
  if (known && line[known] !== of) return `${line.account} is not of the ${known} ${line[known] ?? 'that is missing'}`
  const missing = rule.keys.find(key => !line[key])
  if (missing) return `${line.account} has no ${missing}`
  if (rule.billed && billedKinds.includes(kind) && !line.billNo) return `${line.account} has no billNo`
  const parts: readonly string[] = 'components' in declared ? declared.components : []
  if (parts.length > 0 && !parts.includes(line.component ?? ''))
    return `${line.account} has no component ${line.component ?? ''}`
  return null
}

/** What is wrong with a posting by its declaration: null when nothing is. Lines of nothing are for the caller to leave out. */
export const flawOf = ({ code, valueDate, lines }: Checked, today: EatDate): string | null => {
  if (!Object.hasOwn(postings, code)) return 'is not a posting'
  const rule: PostingRule = postings[code]
  if (!isZero(sum(lines.map(line => line.amount)))) return 'does not balance'
  if (lines.some(line => isZero(line.amount))) return 'has a line of nothing'
  if (rule.valueDate === 'posting' && valueDate && valueDate !== today) return `counts on ${today}, not on ${valueDate}`
  if (rule.valueDate !== 'posting' && !valueDate) return 'has no value date'
  if (valueDate && valueDate > today) return `counts on ${valueDate}, which has not come`
  for (const line of lines) {
    const flaw = flawOfLine(rule, line)
    if (flaw) return flaw
  }
  return null
}

/** The lines that take others back: the same accounts, parts and keys with the opposite amounts, in their order. */
export const mirrored = <L extends { amount: Money }>(lines: readonly L[]): L[] =>
  lines.map(line => ({ ...line, amount: neg(line.amount) }))
