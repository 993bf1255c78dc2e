import { expect, it } from 'vitest'
import { check } from '../../../core/rules/risk/expression.ts'
import { baseSets } from '../../systems/risk/rule-set/base-rules.ts'
import { demoSets } from './rule-sets.ts'

it('the demo has six sets, two of each stage, with 40 rules in all modes, each of which can be asked', () => {
  const sets = [...baseSets, ...demoSets.map(({ item, content }) => ({ ...item, ...content }))]
  const rules = sets.flatMap(one => one.rules.map(rule => ({ ...rule, stage: one.stage })))
  expect(sets.length).toBe(6)
  expect(rules.length).toBe(40)
  expect(new Set(rules.map(rule => rule.ruleMode)).size).toBe(3)
  expect(rules.filter(rule => !check(rule.expression, rule.stage).ok)).toEqual([])
  expect(rules.filter(rule => (rule.ruleAction === 'refuse') !== (rule.refuseCode != null))).toEqual([])
})
