import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sayLeftOut } from '../../tests/sampling.ts'
import { isFull } from '../../tests/sizes.ts'
import { eatDate } from '../rules/time.ts'
import { audit } from './audit/audit.ts'
import { common } from './common/common.ts'
import { endpoints } from './contract.ts'
import { field } from './fields.ts'
import { sample } from './sample.ts'
import { type MenuNode, user } from './user/user.ts'

const seeds = Array.from({ length: 20 }, (_, index) => index + 1)
const now = new Date('2026-11-20T09:00:00.000Z')

const some = isFull ? seeds : seeds.slice(0, 4)
if (!isFull) sayLeftOut('samples', `of each schema all seeds but ${some.length} of ${seeds.length}`)

describe.each(endpoints)('$name', ({ endpoint }) => {
  it.each(['input', 'output'] as const)('has samples of its %s for some seeds', side => {
    for (const seed of some)
      expect(() => endpoint[side].parse(sample(endpoint[side], seed)), `seed ${seed}`).not.toThrow()
  })
})

it('answers the same for the same seed, and another for another', () => {
  const rows = (seed: number) => sample(audit.manageList.output, seed, now)
  expect(rows(7)).toEqual(rows(7))
  expect(rows(7)).not.toEqual(rows(8))
})

it('leaves the other fields as they are when a field is added', () => {
  const before = z.object({ orderNo: field.key(), loanAmount: field.money() })
  const after = before.extend({ phone: field.phone() })
  expect(sample(after, 3, now)).toMatchObject(sample(before, 3, now))
})

it('looks like the business', () => {
  const { list, total, pageNum } = sample(audit.manageList.output, 2, now)
  expect(total).toBe(list.length)
  expect(pageNum).toBe(1)
  expect(list.length).toBeGreaterThanOrEqual(3)
  expect(new Set(list.map(row => row.orderNo)).size).toBe(list.length)
  for (const row of list) {
    expect(row.orderNo).toMatch(/^LO261120[0-9A-Z]{8}$/)
    expect(row.loanAmount).toMatch(/^\d{5,6}\.00$/)
    expect(row.phone).toMatch(/^25\*{8}\d\d$/)
    expect(row.idNumber).toMatch(/^C[MF]\*+\w\w$/)
    expect(row.customerName).toMatch(/^[A-Z]\w+ [A-Z]\w+$/)
    expect(row.applyTime <= now.toISOString()).toBe(true)
    expect(Date.parse(row.applyTime)).toBeGreaterThan(now.getTime() - 5 * 86_400_000)
    if (row.payoutTime) expect(row.payoutTime >= row.applyTime).toBe(true)
  }
})

it('gives a person one name within a record', () => {
  const schema = z.object({ customerName: field.customerName(), cardholderName: field.text() })
  const { customerName, cardholderName } = sample(schema, 5)
  expect(cardholderName).toBe(customerName)
})

it('gives full values where the format asks for them', () => {
  const { phone, idNumber } = sample(z.object({ phone: field.phone(), idNumber: field.idNumber() }), 4)
  expect(phone).toMatch(/^2567\d{8}$/)
  expect(idNumber).toMatch(/^C[MF]\d{8}\w{4}$/)
})

it('puts the lower end of a range first', () => {
  const range = z.object({ applyTime: field.dateRange(), loanAmount: field.moneyRange() })
  for (const seed of seeds) {
    const { applyTime, loanAmount } = sample(range, seed, now)
    if (typeof applyTime === 'string') continue
    if (applyTime[0] && applyTime[1]) expect(applyTime[0] <= applyTime[1]).toBe(true)
    if (loanAmount[0] && loanAmount[1]) expect(Number(loanAmount[0])).toBeLessThanOrEqual(Number(loanAmount[1]))
    for (const day of applyTime) if (day) expect(day <= eatDate(now)).toBe(true)
  }
})

it('meets rules between fields', () => {
  const { newPassword, confirmPassword } = sample(user.changePwd.input, 1)
  expect(newPassword).toBe(confirmPassword)
})

it('says null and leaves out now and then', () => {
  const answers = seeds.map(seed => sample(common.reveal.output, seed))
  expect(answers).toContain(null)
  expect(answers.some(answer => answer !== null)).toBe(true)
  const sorts = seeds.map(seed => sample(audit.allotList.input, seed).sort)
  expect(sorts).toContain(undefined)
  expect(sorts.some(sort => sort !== undefined)).toBe(true)
})

it('ends where a schema contains itself', () => {
  const depthOf = (nodes: readonly MenuNode[]): number =>
    nodes.length ? 1 + Math.max(...nodes.map(node => depthOf(node.childList))) : 0
  expect(depthOf(sample(user.self.output, 1).userMenu as MenuNode[])).toBeLessThanOrEqual(4)
})

it('says what it cannot make up', () => {
  expect(() => sample(z.object({ a: z.string().regex(/^never said$/) }))).toThrow('.a')
  expect(() => sample(z.object({ a: z.int() }).refine(() => false))).toThrow('no sample')
})
