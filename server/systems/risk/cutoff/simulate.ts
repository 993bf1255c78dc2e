import { sql } from 'kysely'
import type { SimulatedBand } from '../../../../core/contract/risk/cutoff.ts'
import { add, Decimal, type Money } from '../../../../core/rules/money.ts'
import { type Band, bandOf } from '../../../../core/rules/risk/bands.ts'
import { histogram } from '../../../../core/rules/risk/statistics.ts'
import { addDays, startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'

/** Orders of one kind with one score, whether they were lent to, and what became of them. */
export type Scored = {
  loanKind: 'first' | 'repeat'
  score: number
  scored: number
  known: number
  bad: number
  lent: Money
  lost: Money
}
export type Sum = {
  scored: number
  passedCount: number
  notPassed: number
  passedShare: string | null
  knownCount: number
  badRate: string | null
  lent: Money
  lost: Money
}
type Period = { modelNo: string; from: string; to: string; productNo?: string | undefined }

const share = (part: number, whole: number): string | null =>
  whole === 0 ? null : String(Math.round((part / whole) * 10_000) / 100)
const classCount = 22
const monthDays = 30

/** The scores that decided in a period. */
export const scoredBetween = (tx: Tx, { modelNo, from, to, productNo }: Period): Promise<Scored[]> =>
  tx.rows(sql<Scored>`
    select o.loan_kind, s.model_score as score, count(*)::int as scored, count(k.bad)::int as known, count(*) filter (where k.bad)::int as bad,
      coalesce(sum(o.loan_amount) filter (where o.payout_time is not null), 0)::text as lent, coalesce(sum(k.loss_principal), 0)::text as lost
    from risk_model_score s join risk_model m using (model_version_no) join loan_order o using (order_no) left join risk_outcome k using (order_no)
    where m.model_no = ${modelNo} and s.model_role <> 'shadow' and s.model_score is not null
      and s.scored_time >= ${startOfEatDay(from)} and s.scored_time < ${startOfEatDay(addDays(to, 1))}
      and ${productNo ? sql`o.product_no = ${productNo}` : sql`true`}
    group by o.loan_kind, s.model_score`)

/** What bands let through of some scores, and what is known of it. An order without an outcome is not guessed at. */
export const sumOf = (bands: readonly Band[], rows: readonly Scored[]): Sum => {
  const passed = rows.filter(row => {
    const band = bandOf(bands, row.loanKind, row.score)
    return band !== undefined && band.bandDecision !== 'refuse'
  })
  const count = (of: readonly Scored[], name: 'scored' | 'known' | 'bad') => of.reduce((sum, row) => sum + row[name], 0)
  const [scored, through, known] = [count(rows, 'scored'), count(passed, 'scored'), count(passed, 'known')]
  return {
    scored,
    passedCount: through,
    notPassed: scored - through,
    passedShare: share(through, scored),
    knownCount: known,
    badRate: share(count(passed, 'bad'), known),
    lent: passed.reduce((sum, row) => add(sum, row.lent), '0.00'),
    lost: passed.reduce((sum, row) => add(sum, row.lost), '0.00'),
  }
}

/** Each band with its share, what is known of it, and the principal that a month is expected to lose at what was lost so far. */
export const byBand = (bands: readonly Band[], rows: readonly Scored[], days: number): SimulatedBand[] =>
  bands.map(band => {
    const kind = rows.filter(row => row.loanKind === band.loanKind)
    const own = kind.filter(row => band.scoreFrom <= row.score && row.score <= band.scoreTo)
    const sum = (of: readonly Scored[], name: 'scored' | 'known' | 'bad') =>
      of.reduce((total, row) => total + row[name], 0)
    const lost = own.reduce((total, row) => add(total, row.lost), '0.00' as Money)
    const monthly = band.bandDecision === 'refuse' ? '0.00' : new Decimal(lost).times(monthDays).div(days).toFixed(0)
    return {
      loanKind: band.loanKind,
      modelLevel: band.modelLevel as SimulatedBand['modelLevel'],
      bandDecision: band.bandDecision,
      scored: sum(own, 'scored'),
      bandShare: share(sum(own, 'scored'), sum(kind, 'scored')),
      knownCount: sum(own, 'known'),
      badRate: share(sum(own, 'bad'), sum(own, 'known')),
      monthlyLoss: monthly.includes('.') ? monthly : `${monthly}.00`,
    }
  })

/** Scores of one kind in classes of one width. */
export const classesOfKind = (rows: readonly Scored[], kind: string, range: { scoreMin: number; scoreMax: number }) =>
  histogram(
    rows.filter(row => row.loanKind === kind),
    { ...range, classes: classCount },
  )
