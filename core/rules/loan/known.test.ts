import { describe, expect, it } from 'vitest'
import { knownCases } from './fixtures/known.ts'
import { excused, runnerOf } from './fixtures/runners.ts'

describe.each([...new Set(knownCases.map(each => each.group))])('known numbers: %s', group => {
  it.each(knownCases.filter(each => each.group === group && !excused[each.id]))('$id of $source', known => {
    const run = runnerOf(known)
    if (!run) throw new Error(`${known.id} is neither run nor excused`)
    run(known)
  })
})

describe('the list of known numbers', () => {
  const ids = knownCases.map(each => each.id)

  it('names each once, with where it comes from', () => {
    expect(new Set(ids).size).toBe(ids.length)
    expect(knownCases.filter(each => !each.source)).toEqual([])
  })

  it('excuses only what is there, with a reason', () => {
    for (const [id, reason] of Object.entries(excused)) {
      expect(ids).toContain(id)
      expect(reason.length).toBeGreaterThan(20)
    }
  })

  it('holds every group in full', () => {
    const counts = Object.fromEntries(
      [...new Set(knownCases.map(each => each.group))].map(group => [
        group,
        knownCases.filter(each => each.group === group).length,
      ]),
    )
    expect(counts).toEqual({
      allocation: 20,
      charges: 4,
      'day-rate-short-term': 17,
      delinquency: 16,
      'frappe-lending': 2,
      'interest-recalculation': 7,
      'journals-writeoff-chargeoff-refund': 10,
      'month-end-and-bullet': 4,
      published: 13,
      reschedule: 4,
      'rollover-worked-examples-kenya': 2,
      'schedule-generation': 4,
      'status-transitions': 9,
      'whole-unit-money': 2,
    })
  })
})
