import { describe, expect, it } from 'vitest'
import { isQuarter, leaveFlaw, leaveHours } from './leave.ts'

const today = '2026-03-02'
const flaw = (leaveType: string, startTime: string, endTime: string) =>
  leaveFlaw({ leaveType, startTime, endTime }, today)

describe('times of a leave', () => {
  it('are quarter hours', () => {
    expect(['06:00:00', '06:15:00', '06:30:00', '06:45:00'].every(at => isQuarter(`2026-03-03T${at}Z`))).toBe(true)
    expect(['06:01:00', '06:14:59', '06:30:01'].some(at => isQuarter(`2026-03-03T${at}Z`))).toBe(false)
    expect(flaw('annual', '2026-03-03T06:05:00Z', '2026-03-03T10:00:00Z')).toEqual({
      at: 'startTime',
      flaw: 'leaveQuarter',
    })
    expect(flaw('annual', '2026-03-03T06:00:00Z', '2026-03-03T10:07:00Z')).toEqual({
      at: 'endTime',
      flaw: 'leaveQuarter',
    })
  })

  it('end after they begin', () => {
    expect(flaw('annual', '2026-03-03T06:00:00Z', '2026-03-03T06:00:00Z')).toEqual({
      at: 'endTime',
      flaw: 'leaveOrder',
    })
    expect(flaw('sick', '2026-03-03T06:00:00Z', '2026-03-02T06:00:00Z')).toEqual({ at: 'endTime', flaw: 'leaveOrder' })
    expect(flaw('annual', '2026-03-03T06:00:00Z', '2026-03-03T06:15:00Z')).toBeNull()
  })

  it('begin today in Kampala or later, unless somebody is ill', () => {
    const end = '2026-03-04T06:00:00Z'
    expect(flaw('annual', '2026-03-01T20:45:00Z', end)).toEqual({ at: 'startTime', flaw: 'leavePast' })
    expect(flaw('other', '2026-03-01T21:00:00Z', end)).toBeNull()
    expect(flaw('sick', '2026-02-20T06:00:00Z', end)).toBeNull()
  })

  it('are counted in hours', () => {
    expect(leaveHours('2026-03-03T06:00:00Z', '2026-03-03T10:45:00Z')).toBe(4.75)
  })
})
