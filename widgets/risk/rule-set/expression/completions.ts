import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import type { Translate } from '../../../../core/element/i18n.ts'
import { factKeys, riskFacts } from '../../../../core/rules/risk/facts.ts'

const functions = ['has()', 'size()', 'inList("")', 'days()'] as const
const words = ['true', 'false', 'in'] as const

/** What may stand where somebody types: facts with what they are, functions and words of the language. */
export const completions = (t: Translate) => {
  const facts: Completion[] = factKeys.map(fact => ({
    label: fact,
    detail: t(`dict.FACT_TYPE.${riskFacts[fact].type}`),
    info: t.maybe(`ruleFact.${fact}`) ?? fact,
    type: 'variable',
  }))
  const others: Completion[] = [
    ...functions.map(label => ({ label, type: 'function' })),
    ...words.map(label => ({ label, type: 'keyword' })),
  ]
  const options = [...facts, ...others]
  return (context: CompletionContext): CompletionResult | null => {
    const typed = context.matchBefore(/[A-Za-z][\w.]*/)
    if (!typed && !context.explicit) return null
    return { from: typed?.from ?? context.pos, options, validFor: /^[\w.]*$/ }
  }
}
