import { sql } from 'kysely'
import { setsNamed } from '../../../../core/contract/risk/plan.ts'
import type { RuleSet } from '../../../../core/rules/risk/rule.ts'
import type { Tx } from '../../../db/database.ts'
import { rulesIn } from '../rule-set/checks.ts'
import { setsOf } from '../rule-set/in-force.ts'

type Values = Record<string, unknown>
export type Scope = { merchantNo: string; productNo: string; loanKind: string }

/** The version that is tested: the set as it would be, where it stands in its stage, and whose orders it asks about. */
export type Candidate = { set: RuleSet; sort: number; asksAbout: (scope: Scope) => boolean }

const within = (named: unknown, value: string) => !Array.isArray(named) || named.length === 0 || named.includes(value)

/** The candidate of a test. */
export const candidateOf = (run: {
  ruleSetNo: string
  versionNo: string
  stage: string
  sort: number
  content: Values
}): Candidate => {
  const { content, ruleSetNo, versionNo, sort } = run
  return {
    set: {
      ruleSetNo,
      versionNo,
      stage: run.stage as RuleSet['stage'],
      executeMode: (content.executeMode as RuleSet['executeMode'] | undefined) ?? 'all',
      whitelistSkips: Boolean(content.whitelistSkips),
      rules: rulesIn(content),
    },
    sort,
    asksAbout: ({ merchantNo, productNo, loanKind }) =>
      within(content.merchantNos, merchantNo) &&
      within(content.productNos, productNo) &&
      within(content.loanKinds, loanKind),
  }
}

/** Where sets stand in their stage: as the plan names them, or by the place that they have now. */
export type Places = { sorts: ReadonlyMap<string, number>; planned: readonly string[] }

/** The sets of a decision with the candidate in the place of its set; a set that was not asked then is put where it would stand. */
export const withCandidate = (
  sets: readonly RuleSet[],
  { set, sort, asksAbout }: Candidate,
  scope: Scope,
  { sorts, planned }: Places,
): readonly RuleSet[] => {
  const isMeant = asksAbout(scope) && (planned.length === 0 || planned.includes(set.ruleSetNo))
  if (!isMeant) return sets.filter(one => one.ruleSetNo !== set.ruleSetNo)
  if (sets.some(one => one.ruleSetNo === set.ruleSetNo))
    return sets.map(one => (one.ruleSetNo === set.ruleSetNo ? set : one))
  const place = (no: string) =>
    planned.length ? planned.indexOf(no) : no === set.ruleSetNo ? sort : (sorts.get(no) ?? 0)
  const behind = sets.findIndex(one => one.stage === set.stage && place(one.ruleSetNo) > place(set.ruleSetNo))
  return behind < 0 ? [...sets, set] : [...sets.slice(0, behind), set, ...sets.slice(behind)]
}

/** Most versions that a process remembers. */
const mostKnown = 500

/** Reads what never changes once: the rules of versions that decided, and the sets that plans name. */
export const versionReader = () => {
  let rules = new Map<string, RuleSet['rules']>()
  let plans = new Map<string, readonly string[]>()
  return {
    async rulesOf(tx: Tx, sets: readonly RuleSet[]): Promise<ReadonlyMap<string, RuleSet['rules']>> {
      if (rules.size > mostKnown) rules = new Map()
      const known = rules
      const missing = [...new Map(sets.map(set => [set.versionNo, set])).values()].filter(
        set => !known.has(set.versionNo),
      )
      if (missing.length) for (const set of await setsOf(tx, missing)) known.set(set.versionNo, set.rules)
      return known
    },
    async plansOf(tx: Tx, versionNos: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
      if (plans.size > mostKnown) plans = new Map()
      const known = plans
      const missing = [...new Set(versionNos)].filter(no => !known.has(no))
      if (missing.length === 0) return known
      const rows = await tx.rows(sql<{ versionNo: string; content: Values }>`
        select version_no, content from risk_plan_version where version_no = any(${missing})`)
      for (const { versionNo, content } of rows) known.set(versionNo, setsNamed(content))
      return known
    },
  }
}
