import { describe, expect, it } from 'vitest'
import { daily, every } from './slots.ts'

describe('slots of the day', () => {
  const slots = daily('00:05')

  it('are due at their EAT time, which is the evening before in UTC', () => {
    expect(slots.at('2026-11-20').toISOString()).toBe('2026-11-19T21:05:00.000Z')
    expect(slots.due(new Date('2026-11-19T21:04:59Z'), '2026-11-19')).toEqual([])
    expect(slots.due(new Date('2026-11-19T21:05:00Z'), '2026-11-19')).toEqual(['2026-11-20'])
  })

  it('are made up for in order after a pause, and never twice', () => {
    expect(slots.due(new Date('2026-12-02T08:00:00Z'), '2026-11-29')).toEqual([
      '2026-11-30',
      '2026-12-01',
      '2026-12-02',
    ])
    expect(slots.due(new Date('2026-12-02T08:00:00Z'), '2026-12-02')).toEqual([])
  })

  it('never lie in the future, also when the clock was set back', () => {
    expect(slots.due(new Date('2026-11-18T08:00:00Z'), '2026-11-20')).toEqual([])
  })

  it('begin with today on a new installation', () => {
    expect(slots.due(new Date('2026-11-20T08:00:00Z'), undefined)).toEqual(['2026-11-20'])
    expect(slots.due(new Date('2026-11-19T21:04:00Z'), undefined)).toEqual([])
  })
})

describe('slots of an interval', () => {
  const slots = every(600)

  it('are the last full interval, once', () => {
    expect(slots.due(new Date('2026-11-20T08:09:59.999Z'), undefined)).toEqual(['2026-11-20T08:00:00.000Z'])
    expect(slots.due(new Date('2026-11-20T08:09:59Z'), '2026-11-20T08:00:00.000Z')).toEqual([])
    expect(slots.due(new Date('2026-11-20T10:11:00Z'), '2026-11-20T08:00:00.000Z')).toEqual([
      '2026-11-20T10:10:00.000Z',
    ])
    expect(slots.due(new Date('2026-11-20T07:00:00Z'), '2026-11-20T08:00:00.000Z')).toEqual([])
  })
})
