import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addDays,
  daysBetween,
  diffDays,
  eatDate,
  eatDateTime,
  endOfEatDay,
  isDate,
  parseEat,
  presets,
  shortTime,
  startOfEatDay,
} from './time.ts'

const anyDate = fc.integer({ min: -20_000, max: 40_000 }).map(days => addDays('2000-01-01', days))

describe('instants in East Africa Time', () => {
  it('is three hours ahead of UTC, so the day begins at 21:00 UTC', () => {
    expect(eatDate('2026-11-19T20:59:59.999Z')).toBe('2026-11-19')
    expect(eatDate('2026-11-19T21:00:00.000Z')).toBe('2026-11-20')
    expect(eatDate('2026-12-31T21:00:00Z')).toBe('2027-01-01')
    expect(eatDate('2026-11-20T01:00:00+03:00')).toBe('2026-11-20')
    expect(eatDate(new Date('2028-02-28T21:00:00Z'))).toBe('2028-02-29')
  })

  it('shows full and short stamps', () => {
    expect(eatDateTime('2026-11-19T21:05:09.900Z')).toBe('2026-11-20 00:05:09')
    expect(shortTime('2026-11-19T21:05:09.900Z', '2026-11-23T08:00:00.000Z')).toBe('11-20 00:05')
    expect(shortTime('2025-12-31T20:59:59.900Z', '2026-01-02T08:00:00.000Z')).toBe('2025-12-31 23:59')
    expect(shortTime('2026-12-31T21:05:00.000Z', '2026-12-31T21:00:00.000Z')).toBe('01-01 00:05')
  })

  it('knows the ends of a day', () => {
    expect(startOfEatDay('2026-11-20')).toBe('2026-11-19T21:00:00.000Z')
    expect(endOfEatDay('2026-11-20')).toBe('2026-11-20T20:59:59.999Z')
  })

  it('has every instant inside its own day', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true, min: new Date('1990-01-01'), max: new Date('2100-01-01') }), at => {
        const day = eatDate(at)
        expect(startOfEatDay(day) <= at.toISOString() && at.toISOString() <= endOfEatDay(day)).toBe(true)
      }),
    )
  })

  it('refuses what is no time', () => expect(() => eatDate('soon')).toThrow(RangeError))

  it('does not depend on the zone of the machine', () => {
    const source = new URL('./time.ts', import.meta.url).href
    const code = `import(${JSON.stringify(source)}).then(t => console.log(JSON.stringify([t.eatDate('2026-03-29T21:30:00Z'), t.eatDateTime('2026-10-24T23:30:00Z'),
      t.startOfEatDay('2026-03-29'), t.addDays('2026-03-28', 2), t.diffDays('2026-03-01', '2026-04-01'), t.parseEat('2026-03-29 02:30'), t.presets('2026-03-31T21:30:00Z')])))`
    const answers = ['UTC', 'America/New_York', 'Asia/Shanghai', 'Africa/Kampala', 'Pacific/Apia'].map(TZ =>
      execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
        env: { ...process.env, TZ },
        encoding: 'utf8',
      }),
    )
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toContain(
      '["2026-03-30","2026-10-25 02:30:00","2026-03-28T21:00:00.000Z","2026-03-30",31,"2026-03-28T23:30:00.000Z"',
    )
  })
})

describe('business dates', () => {
  it.each([
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-1-1',
    '20260101',
    '2026-01-01T00:00',
    '',
    'today',
    '2026-04-31',
  ])('%j is no date', text => {
    expect(isDate(text)).toBe(false)
    expect(() => addDays(text, 1)).toThrow(RangeError)
  })

  it('counts over months, years and leap days', () => {
    expect(isDate('2028-02-29')).toBe(true)
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28')
    expect(diffDays('2026-02-28', '2026-03-01')).toBe(1)
    expect(diffDays('2026-03-01', '2026-02-28')).toBe(-1)
    expect(daysBetween('2026-02-27', '2026-03-01')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
    expect(daysBetween('2026-03-02', '2026-03-01')).toEqual([])
  })

  it('comes back by the same way', () => {
    fc.assert(
      fc.property(anyDate, fc.integer({ min: -5000, max: 5000 }), (date, days) => {
        expect(addDays(addDays(date, days), -days)).toBe(date)
        expect(diffDays(date, addDays(date, days))).toBe(days)
      }),
    )
  })
})

describe('presets', () => {
  it('are days of EAT, both ends included', () => {
    expect(presets('2026-11-19T21:30:00Z')).toEqual({
      today: ['2026-11-20', '2026-11-20'],
      yesterday: ['2026-11-19', '2026-11-19'],
      last7: ['2026-11-14', '2026-11-20'],
      last30: ['2026-10-22', '2026-11-20'],
      around: ['2026-10-22', '2026-11-27'],
      thisMonth: ['2026-11-01', '2026-11-30'],
      lastMonth: ['2026-10-01', '2026-10-31'],
    })
  })

  it('know the length of every month', () => {
    expect(presets('2028-02-10T00:00:00Z').thisMonth).toEqual(['2028-02-01', '2028-02-29'])
    expect(presets('2026-01-31T12:00:00Z').thisMonth).toEqual(['2026-01-01', '2026-01-31'])
    expect(presets('2026-01-31T12:00:00Z').lastMonth).toEqual(['2025-12-01', '2025-12-31'])
    expect(presets('2026-03-31T12:00:00Z').lastMonth).toEqual(['2026-02-01', '2026-02-28'])
  })

  it('count as many days as they say', () => {
    fc.assert(
      fc.property(anyDate, date => {
        const ranges = presets(startOfEatDay(date))
        expect(daysBetween(...ranges.last7)).toHaveLength(7)
        expect(daysBetween(...ranges.last30)).toHaveLength(30)
        expect(addDays(ranges.lastMonth[1], 1)).toBe(ranges.thisMonth[0])
      }),
    )
  })
})

describe('a typed EAT time', () => {
  it('becomes the instant', () => {
    expect(parseEat('2026-11-20 00:05')).toBe('2026-11-19T21:05:00.000Z')
    expect(parseEat(' 2026-11-20T23:59:59 ')).toBe('2026-11-20T20:59:59.000Z')
  })

  it.each(['2026-11-20', '2026-11-31 10:00', '2026-11-20 24:00', '2026-11-20 10:60', '10:00', '2026-11-20 1:00', ''])(
    '%j is refused',
    text => expect(parseEat(text)).toBeNull(),
  )

  it('reads back the full stamp', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), seconds => {
        const at = new Date(seconds * 1000).toISOString()
        expect(parseEat(eatDateTime(at))).toBe(at)
      }),
    )
  })
})
