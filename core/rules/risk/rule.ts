/** When rules are asked: before the fraud rules, among them, or once a model has spoken. */
export const ruleStages = ['admission', 'antifraud', 'credit'] as const
export type RuleStage = (typeof ruleStages)[number]
/** What a hit does. */
export const ruleActions = ['refuse', 'review', 'flag', 'downgrade'] as const
/** Whether a hit counts: it acts, is only noted, or is not asked for. */
export const ruleModes = ['enforce', 'shadow', 'off'] as const
/** What a rule that cannot tell does: nothing, or an auditor looks. It never refuses. */
export const onMissings = ['skip', 'review'] as const
/** Every rule is asked, or a set ends at its first refusal. */
export const executeModes = ['first_hit', 'all'] as const
/** What a rule found. */
export const ruleResults = ['hit', 'miss', 'unknown'] as const

/** One rule as it is stored in a version. */
export type Rule = {
  ruleNo: string
  ruleNameZh: string
  ruleNameEn: string
  ruleNameSw: string
  expression: string
  ruleAction: (typeof ruleActions)[number]
  refuseCode?: string | null | undefined
  downgradeSteps?: number | null | undefined
  onMissing: (typeof onMissings)[number]
  ruleMode: (typeof ruleModes)[number]
}

/** A version of a set that is in force. */
export type RuleSet = {
  ruleSetNo: string
  versionNo: string
  stage: RuleStage
  executeMode: (typeof executeModes)[number]
  /** Applicants on a white list are not asked. */
  whitelistSkips: boolean
  rules: readonly Rule[]
}

/** What a person may set aside at once: refusals become a look by an auditor, nothing else changes. */
export const milder = (rules: readonly Rule[], ruleNo: string): Rule[] =>
  rules.map(rule => (rule.ruleNo === ruleNo ? { ...rule, ruleAction: 'review', refuseCode: undefined } : rule))
