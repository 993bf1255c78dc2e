import { sql } from 'kysely'
import { accounts, ledgerKeys } from '../../core/rules/ledger/accounts.ts'
import { type PostingRule, postings } from '../../core/rules/ledger/postings.ts'
import { snakeOf } from '../db/append.ts'
import { invariant } from './check.ts'

/** Code, side and account of every line that may be: of a reversal, those of the posting that it takes back. */
const sides = Object.entries(postings as Record<string, PostingRule>).flatMap(([code, rule]) => {
  const both = [...rule.debit, ...rule.credit]
  const on = (side: number, kinds: PostingRule['debit']) => [...new Set(kinds)].map(kind => ({ code, side, kind }))
  return [...on(1, rule.inverse ? both : rule.debit), ...on(-1, rule.inverse ? both : rule.credit)]
})
const column = <K extends keyof (typeof sides)[number]>(name: K) => sides.map(side => side[name])

const keyed = Object.entries(accounts).flatMap(([kind, declared]) =>
  'of' in declared && (ledgerKeys as readonly string[]).includes(declared.of) ? [{ kind, key: declared.of }] : [],
)

/** The key of the line that says whose account it is. */
const ownKey = sql`case split_part(account_code, ':', 1) ${sql.join(
  keyed.map(({ kind, key }) => sql`when ${sql.lit(kind)} then ${sql.ref(snakeOf(key))}`),
  sql` `,
)} end`

/** Rules of single postings: each has the accounts that its code demands. */
export const postingInvariants = [
  invariant(
    'V1a',
    'every line is on an account that its posting has on that side',
    sql`
    with lines as (
      select coalesce(j.reversed_posting_code, j.posting_code) as code, sign(l.amount) * case when j.reversed_posting_code is null then 1 else -1 end as side,
        split_part(l.account_code, ':', 1) as kind, min(l.line_no) as line_no, min(l.journal_no) as journal_no, count(*) as lines
      from journal_line l join journal j using (journal_no) group by 1, 2, 3)
    select l.code, l.kind, l.side, l.journal_no, l.line_no, l.lines from lines l
    where not exists (
      select 1 from unnest(${column('code')}::text[], ${column('side')}::int[], ${column('kind')}::text[]) as s(code, side, kind)
      where s.code = l.code and s.side = l.side and s.kind = l.kind)`,
  ),
  invariant(
    'V1b',
    'a line on an account of one object is found by the number of that object',
    sql`
    select line_no, journal_no, account_code from journal_line
    where split_part(account_code, ':', 1) = any(${keyed.map(({ kind }) => kind)}) and split_part(account_code, ':', 2) is distinct from ${ownKey}`,
  ),
]
