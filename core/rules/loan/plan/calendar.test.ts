import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, diffDays } from '../../time.ts'
import { addMonths, dueDates, firstDueDate, step, toWorkingDay, type WorkingDays } from './calendar.ts'
import { periodsOf } from './terms.ts'

const monthly = { every: 1, unit: 'months' } as const

describe('months', () => {
  it.each([
    ['2026-01-31', 1, undefined, 'clamp', '2026-02-28'],
    ['2026-01-31', 1, undefined, 'roll', '2026-03-01'],
    ['2024-01-31', 1, undefined, 'clamp', '2024-02-29'],
    ['2026-01-31', 2, undefined, 'roll', '2026-03-31'],
    ['2026-11-15', 3, undefined, 'clamp', '2027-02-15'],
    ['2026-03-31', -1, undefined, 'clamp', '2026-02-28'],
    ['2026-01-10', 0, 31, 'clamp', '2026-01-31'],
    ['2026-12-05', 1, 1, 'roll', '2027-01-01'],
  ] as const)('%s and %i months on day %s (%s) is %s', (date, months, day, lacking, expected) =>
    expect(addMonths(date, months, day, lacking)).toBe(expected),
  )

  it('come back to the 31st after a short month', () =>
    expect(dueDates({ start: '2026-01-31', count: 4, frequency: monthly })).toEqual([
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
      '2026-05-31',
    ]))

  it('stay in the month or begin the next, for a hundred years', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 36_500 }), fc.integer({ min: 1, max: 60 }), (days, months) => {
        const from = addDays('1970-01-01', days)
        const [clamped, rolled] = [addMonths(from, months), addMonths(from, months, undefined, 'roll')]
        const gap = diffDays(clamped, rolled)
        expect(gap === 0 || (gap === 1 && rolled.endsWith('-01'))).toBe(true)
        const passed = (Number(clamped.slice(0, 4)) - Number(from.slice(0, 4))) * 12
        expect(passed + Number(clamped.slice(5, 7)) - Number(from.slice(5, 7))).toBe(months)
      }),
    )
  })
})

describe('due dates', () => {
  it('follow a first date that is early or late, and a day of the month', () => {
    expect(dueDates({ start: '2026-01-20', count: 3, frequency: monthly, first: '2026-02-05' })).toEqual([
      '2026-02-05',
      '2026-03-05',
      '2026-04-05',
    ])
    expect(dueDates({ start: '2026-01-20', count: 2, frequency: monthly, first: '2026-02-28', day: 31 })).toEqual([
      '2026-02-28',
      '2026-03-31',
    ])
    expect(dueDates({ start: '2026-01-01', count: 2, frequency: { every: 2, unit: 'weeks' } })).toEqual([
      '2026-01-15',
      '2026-01-29',
    ])
    expect(step('2026-01-01', { every: 10, unit: 'days' }, 3)).toBe('2026-01-31')
  })

  it('begin where the product says', () =>
    expect((['sameDay', 'startOfNextMonth', 'endOfMonth'] as const).map(on => firstDueDate('2026-02-17', on))).toEqual([
      '2026-02-17',
      '2026-03-01',
      '2026-02-28',
    ]))

  it('may begin on the payout day', () =>
    expect(dueDates({ start: '2026-01-20', count: 2, frequency: monthly, first: '2026-01-20' })).toEqual([
      '2026-01-20',
      '2026-02-20',
    ]))

  it('do not fall together or before the payout', () => {
    expect(() => dueDates({ start: '2026-01-20', count: 1, frequency: monthly, first: '2026-01-19' })).toThrow(
      RangeError,
    )
    expect(() => dueDates({ start: '2026-01-20', count: 2, frequency: { every: 0, unit: 'days' } })).toThrow(RangeError)
  })

  it('mark a first period that is not like the others', () => {
    const marks = (first?: string) =>
      periodsOf({ start: '2026-01-20', count: 2, frequency: monthly, first }).map(period => period.irregular ?? false)
    expect([marks(), marks('2026-02-20'), marks('2026-02-05')]).toEqual([
      [false, false],
      [false, false],
      [true, false],
    ])
    expect(periodsOf({ start: '2026-01-20', count: 2, frequency: monthly })).toEqual([
      { no: 1, from: '2026-01-20', dueDate: '2026-02-20' },
      { no: 2, from: '2026-02-20', dueDate: '2026-03-20' },
    ])
  })
})

describe('working days', () => {
  const uganda = (shift: WorkingDays['shift']): WorkingDays => ({ weekend: [0, 6], holidays: ['2026-10-09'], shift })
  it.each([
    ['none', '2026-10-10'],
    ['next', '2026-10-12'],
    ['previous', '2026-10-08'],
    ['nextInMonth', '2026-10-12'],
    ['previousInMonth', '2026-10-08'],
  ] as const)('a Saturday after a holiday goes %s to %s', (shift, expected) =>
    expect(toWorkingDay('2026-10-10', uganda(shift))).toBe(expected),
  )

  it('turn round at the end and the start of a month', () => {
    expect(toWorkingDay('2026-01-31', uganda('nextInMonth'))).toBe('2026-01-30')
    expect(toWorkingDay('2026-01-31', uganda('next'))).toBe('2026-02-02')
    expect(toWorkingDay('2026-02-01', uganda('previousInMonth'))).toBe('2026-02-02')
    expect(toWorkingDay('2026-10-12', uganda('next'))).toBe('2026-10-12')
  })

  it('move the date and not the ones after it', () =>
    expect(dueDates({ start: '2026-09-10', count: 2, frequency: monthly, workingDays: uganda('next') })).toEqual([
      '2026-10-12',
      '2026-11-10',
    ]))

  it('must leave each installment a day of its own', () =>
    expect(() =>
      dueDates({ start: '2026-10-15', count: 3, frequency: { every: 1, unit: 'days' }, workingDays: uganda('next') }),
    ).toThrow(RangeError))

  it('are missed where there are none', () =>
    expect(() => toWorkingDay('2026-01-01', { weekend: [0, 1, 2, 3, 4, 5, 6], holidays: [], shift: 'next' })).toThrow(
      RangeError,
    ))
})
