import type { Rule } from '../../../../core/rules/risk/rule.ts'

/** Rules of a set that nobody has observed yet. */
export const ruleAt = (change: Partial<Rule> = {}): Rule[] => [
  {
    ruleNo: 'LATE.15',
    ruleNameZh: '历史逾期超过15天',
    ruleNameEn: 'Over 15 days late before',
    ruleNameSw: 'Aliwahi kuchelewa zaidi ya siku 15',
    expression: 'history.maxOverdueDays > 15',
    ruleAction: 'review',
    onMissing: 'skip',
    ruleMode: 'shadow',
    ...change,
  },
]

/** What a version holds that only observes. */
export const observed = (change: Record<string, unknown> = {}): Record<string, unknown> => ({
  executeMode: 'all',
  whitelistSkips: false,
  rules: ruleAt(),
  ...change,
})

/** A new set. */
export const setAt = (ruleSetName: string, change: Record<string, unknown> = {}): Record<string, unknown> => ({
  ruleSetName,
  stage: 'credit',
  sort: 5,
  ...observed(change),
})
