import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BlockScope, type ContactKind, contactKinds } from '../contact/contact-block.ts'
import { eatDate, eatDateTime } from '../time.ts'
import { type ContactFacts, contactRefusal, isWithin, nextWithin, plainCaps, plainWindow } from './contact-guard.ts'

const noon = new Date('2026-03-02T09:00:00Z')
const base: ContactFacts = {
  ...{ phone: '256772000031', kind: 'marketing', medium: 'text', at: noon, window: plainWindow, caps: plainCaps },
  ...{ isOwn: true, isNeeded: true, today: 0, in7Days: 0 },
}
const asked = (more: Partial<ContactFacts>) => contactRefusal({ ...base, ...more })

describe('who may be contacted', () => {
  it.each<[string, Partial<ContactFacts>, string | null]>([
    ['a customer at noon', {}, null],
    ['a number of another form', { phone: '0772000031', kind: 'service' }, 'invalid_phone'],
    ['who asked for no more texts', { stopped: ['marketing'] }, 'opted_out'],
    ['who asked for no more texts, by a call', { stopped: ['marketing'], medium: 'call' }, null],
    ['who asked for no more calls, by a robot', { stopped: ['telemarketing'], medium: 'robot' }, 'opted_out'],
    ['who asked for no offers, about a bill', { stopped: ['all'], kind: 'reminder' }, null],
    ['a relative on the blacklist, about a bill', { blocked: ['collection'], kind: 'reminder' }, 'blacklisted'],
    ['a customer on every blacklist, with a receipt', { blocked: ['all'], kind: 'service' }, null],
    [
      'somebody else on every blacklist, with a receipt',
      { blocked: ['all'], kind: 'service', isOwn: false },
      'blacklisted',
    ],
    ['who complains, with an offer', { complaint: 'open' }, 'complaint_open'],
    ['who complains, by a collector', { complaint: 'open', kind: 'collection', medium: 'call' }, null],
    ['who complains of the collectors', { complaint: 'hold', kind: 'collection', medium: 'call' }, 'complaint_open'],
    ['who has paid meanwhile', { kind: 'reminder', isNeeded: false }, 'not_needed'],
    ['who got an offer today', { today: 1, in7Days: 1 }, 'cap_reached'],
    ['who got three offers this week', { in7Days: 3 }, 'cap_reached'],
    ['who was called three times today', { kind: 'collection', medium: 'robot', today: 3 }, 'cap_reached'],
    ['who is on the phone', { medium: 'call', inCall: true }, 'number_in_call'],
    ['at eight in the evening', { at: new Date('2026-03-02T17:00:00Z') }, 'outside_hours'],
    ['a minute before', { at: new Date('2026-03-02T16:59:00Z') }, null],
    ['at night, with a receipt', { at: new Date('2026-03-02T22:00:00Z'), kind: 'service' }, null],
    [
      'at night, by a service call',
      { at: new Date('2026-03-02T22:00:00Z'), kind: 'service', medium: 'call' },
      'outside_hours',
    ],
  ])('%s', (_, more, reason) => expect(asked(more)).toBe(reason))
})

type Step =
  | { is: 'text'; kind: ContactKind }
  | { is: 'stop' | 'start' | 'pay' }
  | { is: 'block'; scope: BlockScope }
  | { is: 'complain'; on: boolean }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ is: fc.constant('text' as const), kind: fc.constantFrom(...contactKinds) }) },
  fc.record({ is: fc.constantFrom('stop' as const, 'start' as const, 'pay' as const) }),
  fc.record({
    is: fc.constant('block' as const),
    scope: fc.constantFrom<BlockScope>('collection', 'telemarketing', 'marketing', 'all'),
  }),
  fc.record({ is: fc.constant('complain' as const), on: fc.boolean() }),
)

/** A customer over random days, whose texts are kept with what held when each was sent. */
const lived = (steps: readonly (readonly [minutes: number, step: Step])[]) => {
  const held = { stopped: false, paid: false, blocked: [] as BlockScope[], complaint: false }
  const sent: { at: Date; kind: ContactKind; known: typeof held }[] = []
  let now = Date.parse('2026-03-01T21:00:00Z')
  for (const [minutes, one] of steps) {
    now += minutes * 60_000
    const at = new Date(now)
    if (one.is === 'stop') held.stopped = true
    if (one.is === 'start') held.stopped = false
    if (one.is === 'pay') held.paid = true
    if (one.is === 'block') held.blocked = [...held.blocked, one.scope]
    if (one.is === 'complain') held.complaint = one.on
    if (one.is !== 'text') continue
    const { kind } = one
    const offers = sent.filter(text => text.kind === 'marketing')
    const refusal = asked({
      ...{ kind, at, stopped: held.stopped ? ['marketing'] : [], blocked: held.blocked },
      ...(held.complaint ? { complaint: 'open' as const } : {}),
      ...{ isNeeded: kind === 'marketing' || !held.paid },
      today: offers.filter(text => eatDate(text.at) === eatDate(at)).length,
      in7Days: offers.filter(text => text.at.getTime() > now - 7 * 86_400_000).length,
    })
    if (!refusal) sent.push({ at, kind, known: { ...held } })
  }
  return sent
}

it('sends nothing outside its hours, over a cap, to who stopped, is blocked, complains or has paid, whatever the order of events', () => {
  const days = fc.array(fc.tuple(fc.integer({ min: 1, max: 900 }), step), { minLength: 20, maxLength: 120 })
  fc.assert(
    fc.property(days, steps => {
      const sent = lived(steps)
      const offers = sent.filter(({ kind }) => kind === 'marketing')
      for (const { at, kind, known } of sent) {
        if (kind === 'service') continue
        const clock = eatDateTime(at).slice(11, 16)
        expect(clock >= '08:00' && clock < '20:00').toBe(true)
        expect(known.blocked).not.toContain('all')
        if (kind === 'marketing')
          expect([known.stopped, known.complaint, known.blocked.includes('marketing')]).not.toContain(true)
        else expect([known.paid, known.blocked.includes('collection')]).not.toContain(true)
      }
      for (const { at } of offers) {
        expect(offers.filter(other => eatDate(other.at) === eatDate(at)).length).toBe(1)
        const week = offers.filter(other => other.at <= at && other.at.getTime() > at.getTime() - 7 * 86_400_000)
        expect(week.length).toBeLessThanOrEqual(3)
      }
    }),
    { numRuns: 300 },
  )
})

it('waits for the next moment within the hours, and no longer', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true }), at => {
      const next = nextWithin(plainWindow, at)
      expect(isWithin(plainWindow, next)).toBe(true)
      expect(next.getTime()).toBeGreaterThanOrEqual(at.getTime())
      expect(next.getTime() - at.getTime()).toBeLessThanOrEqual(12 * 3_600_000)
      if (isWithin(plainWindow, at)) expect(next).toEqual(at)
    }),
  )
})
