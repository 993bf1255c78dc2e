import { describe, expect, it } from 'vitest'
import { check, partsOf } from './expression.ts'
import type { FactValues } from './facts.ts'
import { milder, type Rule, type RuleSet } from './rule.ts'
import { runRules, sayRules } from './rule-sets.ts'

const facts: FactValues = {
  'history.maxOverdueDays': 20,
  'order.loanKind': 'first',
  'order.amount': 200_000,
  'order.incomeShare': 0.25,
  'device.accountCount': 0,
  'device.rooted': false,
  'lists.hits': ['NL1'],
  'customer.age': null,
}
const run = (text: string, of: FactValues = facts) => {
  const checked = check(text)
  if (!checked.ok) throw new Error(`${checked.flaw.key} ${checked.flaw.detail}`)
  return checked.expression.run(of)
}
const flaw = (text: string, stage?: string) => {
  const checked = check(text, stage)
  return checked.ok ? null : checked.flaw
}

describe('an expression', () => {
  it('compares facts', () => {
    expect(run('history.maxOverdueDays > 15 || (order.loanKind == "first" && device.accountCount >= 3)')).toBe(true)
    expect(run('history.maxOverdueDays > 20')).toBe(false)
    expect(run('order.incomeShare * 2.0 >= 0.5')).toBe(true)
    expect(run('order.amount / 3 == 66666')).toBe(true)
    expect(run('order.amount % 7 == 3')).toBe(true)
    expect(run('order.loanKind in ["repeat", "first"] ? !device.rooted : device.rooted')).toBe(true)
    expect(
      run('order.loanKind.startsWith("fi") && order.loanKind.endsWith("st") && order.loanKind.contains("irs")'),
    ).toBe(true)
    expect(run('inList("NL1") && !inList("NL2") && size(lists.hits) == 1')).toBe(true)
    expect(run('history.maxOverdueDays > days(19) && -order.amount < 0')).toBe(true)
    expect(run('order.incomeShare < 1')).toBe(true)
  })

  it('has no value where a missing fact could change it, and only there', () => {
    expect(run('customer.age > 18')).toBeNull()
    expect(run('true || customer.age > 18')).toBe(true)
    expect(run('customer.age > 18 || true')).toBe(true)
    expect(run('false && customer.age > 18')).toBe(false)
    expect(run('customer.age > 18 && false')).toBe(false)
    expect(run('true && customer.age > 18')).toBeNull()
    expect(run('!(customer.age > 18)')).toBeNull()
    expect(run('customer.age > 18 ? true : true')).toBeNull()
    expect(run('has(customer.age) || has(order.amount)')).toBe(true)
    expect(run('order.amount in [1, customer.age]')).toBeNull()
    expect(run('inList("NL1")', {})).toBeNull()
    expect(run('order.amount / device.accountCount > 1')).toBeNull()
    expect(run('order.amount % device.accountCount > 1')).toBeNull()
  })

  it('is refused at its place where the language does not have it', () => {
    expect(flaw('customer.age > 18 && foo > 1')).toMatchObject({
      key: 'validation.expressionUnknown',
      detail: 'Unknown variable: foo',
      start: 21,
      end: 24,
    })
    expect(flaw('customer.gender == "x"')).toMatchObject({ key: 'validation.expressionUnknown', start: 9, end: 15 })
    expect(flaw('customer.age > "x"')?.key).toBe('validation.expressionTypes')
    expect(flaw('customer.age')?.key).toBe('validation.expressionResult')
    expect(flaw('customer.age >')?.key).toBe('validation.expressionBroken')
    expect(flaw('device.rooted || order.loanKind.matches("a+")')).toMatchObject({
      key: 'validation.expressionForbidden',
      start: 17,
    })
    const outside = [
      '[1, 2].all(x, x > 1)',
      '[1].exists(x, [2].exists(y, y == x))',
      '"a" + "b" == "ab"',
      'order.loanKind + "x" == "firstx"',
      'size([1] + [2]) == 2',
      'timestamp("2024-01-01T00:00:00Z") > timestamp("2024-01-01T00:00:00Z")',
      'order["amount"] > 1',
      'dyn(1) == 1',
      'null == null',
      'string(order.amount) == "1"',
      'order.amount > 1u',
      'has(order.loanKind) && type(1) == int',
      'b"a" == b"a"',
    ]
    for (const text of outside) expect([text, flaw(text)?.key]).toEqual([text, 'validation.expressionForbidden'])
    expect(flaw('size({"a": 1}) == 1')?.key).toBe('validation.expressionLong')
  })

  it('has an end', () => {
    expect(flaw(`customer.age in [${Array.from({ length: 201 }, (_, n) => n)}]`)?.key).toBe('validation.expressionLong')
    expect(flaw(`${'('.repeat(30)}true${')'.repeat(30)}`)?.key).toBe('validation.expressionLong')
    expect(flaw(`true${' '.repeat(2_000)}`)?.key).toBe('validation.expressionLong')
    expect(flaw(Array.from({ length: 120 }, () => 'device.rooted').join(' || '))?.key).toBe('validation.expressionLong')
  })

  it('asks for a score in stage credit alone', () => {
    expect(flaw('model.score < 500', 'antifraud')?.key).toBe('validation.expressionStage')
    expect(flaw('model.score < 500', 'credit')).toBeNull()
  })

  it('says what each comparison came to', () => {
    expect(partsOf('history.maxOverdueDays > 15 || customer.age < 18 && device.rooted', facts)).toEqual([
      { text: 'history.maxOverdueDays > 15', value: true },
      { text: 'customer.age < 18', value: null },
      { text: 'device.rooted', value: false },
    ])
  })
})

const rule = (ruleNo: string, expression: string, change: Partial<Rule> = {}): Rule => ({
  ruleNo,
  ruleNameZh: ruleNo,
  ruleNameEn: ruleNo,
  ruleNameSw: ruleNo,
  expression,
  ruleAction: 'refuse',
  refuseCode: `C_${ruleNo}`,
  onMissing: 'skip',
  ruleMode: 'enforce',
  ...change,
})
const set = (rules: Rule[], change: Partial<RuleSet> = {}): RuleSet => ({
  ruleSetNo: 'RS1',
  versionNo: 'RV1',
  stage: 'admission',
  executeMode: 'all',
  whitelistSkips: false,
  rules,
  ...change,
})
const stages = ['admission', 'antifraud', 'credit'] as const
const found = (sets: RuleSet[], whitelisted = false) => runRules(sets, facts, { stages, whitelisted })
const yes = 'order.amount > 0'

describe('rule sets', () => {
  it('give the first refusal in the order of stages', () => {
    const sets = [set([rule('B', yes)], { stage: 'credit' }), set([rule('A', yes), rule('A2', yes)])]
    expect(sayRules(found(sets)).refusals.map(one => one.ruleNo)).toEqual(['A', 'A2', 'B'])
  })

  it('end at the first refusal where they say so, and not at one that is only observed', () => {
    const rules = [rule('S', yes, { ruleMode: 'shadow' }), rule('A', yes), rule('B', yes)]
    expect(found([set(rules, { executeMode: 'first_hit' })]).map(one => one.ruleNo)).toEqual(['S', 'A'])
  })

  it('let nothing happen that is observed or off', () => {
    const all = found([set([rule('S', yes, { ruleMode: 'shadow' }), rule('O', yes, { ruleMode: 'off' })])])
    expect(all).toMatchObject([{ ruleNo: 'S', outcome: 'hit', acts: false }])
    expect(sayRules(all)).toEqual({ refusals: [], isDoubtful: false, downgradeSteps: 0 })
  })

  it('never refuse by what is not known', () => {
    const old = 'customer.age > 65'
    expect(sayRules(found([set([rule('A', old)])]))).toEqual({ refusals: [], isDoubtful: false, downgradeSteps: 0 })
    const said = sayRules(found([set([rule('A', old, { onMissing: 'review' })])]))
    expect(said).toEqual({ refusals: [], isDoubtful: true, downgradeSteps: 0 })
  })

  it('send to auditors, lower the level, and note', () => {
    const rules = [
      rule('R', yes, { ruleAction: 'review', refuseCode: null }),
      rule('D', yes, { ruleAction: 'downgrade', downgradeSteps: 2 }),
      rule('F', yes, { ruleAction: 'flag' }),
    ]
    expect(sayRules(found([set(rules)]))).toEqual({ refusals: [], isDoubtful: true, downgradeSteps: 2 })
  })

  it('leave out whom a white list names, where they say so', () => {
    const sets = [set([rule('A', yes)], { whitelistSkips: true }), set([rule('B', yes)])]
    expect(found(sets, true).map(one => one.ruleNo)).toEqual(['B'])
  })

  it('are made milder by one person, never harder', () => {
    const rules = milder([rule('A', yes), rule('B', yes)], 'A')
    expect(rules.map(one => one.ruleAction)).toEqual(['review', 'refuse'])
    expect(sayRules(found([set(rules)]))).toMatchObject({ isDoubtful: true, refusals: [{ ruleNo: 'B' }] })
  })
})
