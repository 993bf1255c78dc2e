type Named = { ruleNo: string; ruleNameZh: string; ruleNameEn: string; ruleNameSw: string }

/** What a rule is called in the reader's language. */
export const ruleName = (rule: Named, language: string): string =>
  ({ zh: rule.ruleNameZh, sw: rule.ruleNameSw })[language] ?? rule.ruleNameEn
