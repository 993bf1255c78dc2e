import { accounts } from '../../core/rules/ledger/accounts.ts'
import { type PostingRule, postings } from '../../core/rules/ledger/postings.ts'
import { invariants } from '../../server/invariants/invariants.ts'
import { missingInvariants } from '../../server/invariants/missing.ts'

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')

const code = (names: readonly string[]) => names.map(name => `\`${name}\``).join(', ')
const all = Object.keys(accounts).length
const kinds = (some: readonly string[]) => (some.length === all ? 'any' : code(some))

const dayOf = ({ valueDate, counts }: PostingRule) =>
  ({ posting: 'the day of the posting', given: counts ?? '', reversed: 'the value date of the journal taken back' })[
    valueDate
  ]

const postingRows = (Object.entries(postings) as [string, PostingRule][]).map(([name, rule]) => [
  name,
  rule.when,
  rule.inverse ? `${kinds(rule.debit)} (or the other way)` : kinds(rule.debit),
  kinds(rule.credit),
  code([...rule.keys, ...(rule.billed ? ['billNo'] : [])]) || '–',
  dayOf(rule),
])

const accountRows = Object.entries(accounts).map(([name, declared]) => [
  'of' in declared ? `\`${name}:{${declared.of}}\`` : `\`${name}\``,
  declared.holds,
  'components' in declared ? declared.components.join(', ') : '–',
  'kept' in declared ? 'kept' : 'summed',
])

/** The description of the ledger, from its declaration and its invariants. */
export const ledgerDoc = (): string => `<!-- Written from core/rules/ledger and server/invariants; do not edit. -->

# The ledger

Every shilling is moved by a **journal**: one posting of the list below, for one cause, whose lines add up to nothing. A debit is plus and a credit
minus. \`post\` writes a journal as it is declared and refuses everything else: a code that is none, an account on the wrong side, an account of another
object than the line names, a missing key, a day to come. The database refuses at commit what does not balance.

**Two dates.** The business date is the day, in East Africa, on which a journal was posted; nobody chooses it. The value date is the day on which it
counts for the customer.

**Nothing is changed.** Journals, their lines, state transitions, the audit log and the access log can be read and added to. Triggers refuse to change,
remove or empty them for everybody, also for the owner of the database; the role with which the server works has no right to, where \`DATABASE_OWNER_URL\`
names the owner apart. A journal is closed by the transaction that wrote it: no line comes later. What was wrong is taken back by a reversal, which negates
one journal line by line under the same keys, on its value date, names it and its code, and is refused a second time.

**The audit log is chained.** A minute after it was written at the latest, a row joins a chain of hashes, each over the row and the hash before it; once
a day the end of the chain is sealed with the key of the installation. A changed row breaks its hash, a rebuilt chain breaks an
anchor, and a forged anchor needs the key.

## Postings

Lines on \`principal\`, receivables and deferred accounts name their bill where \`billNo\` is among the keys.

${table(['code', 'when', 'debit', 'credit', 'keys', 'counts on'], postingRows)}

## Accounts

${table(['account', 'holds', 'parts', 'balance'], accountRows)}

## What is proved

\`npm run check:invariants\` asks each of these, and prints nothing or what breaks it. Files are compared with their hashes (V14), payloads of approvals with
theirs (V12), anchors of the audit log with the key (V23).

${table(
  ['rule', 'says that'],
  invariants.map(({ name, rule }) => [name, rule]),
)}

Not asked yet, because what they are about is not kept yet:

${table(
  ['rule', 'will say that'],
  missingInvariants.map(({ name, rule }) => [name, rule]),
)}
`
