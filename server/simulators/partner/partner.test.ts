import { expect, it } from 'vitest'
import { Application } from '../../../core/contract/order/intake.ts'
import { type PartnerSays, partnerApplications } from './partner-life.ts'

const partner = (shares: Partial<Record<PartnerSays, number>>) =>
  partnerApplications({
    seed: 9_000,
    productNos: ['P1'],
    incomingChannel: 'partner',
    shares: { duplicate: 0, unsigned: 0, barred: 0, ...shares },
    barredIds: ['CM12345678ABCD'],
  })
const at = '2026-11-02T06:00:00.000Z'
const many = (next: ReturnType<typeof partner>, n = 100) => Array.from({ length: n }, () => next(at))

it('sends applications that are right, each under a number of its own', () => {
  const sent = many(partner({}))
  for (const { application } of sent) expect(Application.safeParse(application).success).toBe(true)
  expect(new Set(sent.map(one => one.application.thirdOrderNo)).size).toBe(sent.length)
  expect(sent[0]?.application.incomingChannel).toBe('partner')
})

it('is wrong as often as it is asked to be', () => {
  const sent = many(partner({ duplicate: 0.2, unsigned: 0.1, barred: 0.05 }))
  const count = (says: PartnerSays) => sent.filter(one => one.says === says).length
  // The very first has nothing to repeat.
  expect([count('duplicate'), count('unsigned'), count('barred')]).toEqual([19, 10, 5])
  expect(sent.find(one => one.says === 'barred')?.application.customer.idNumber).toBe('CM12345678ABCD')
})
