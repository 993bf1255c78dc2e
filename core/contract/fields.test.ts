import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { field } from './fields.ts'

const unseen = 'LO1\u200B23'

describe('texts of the contract', () => {
  it.each([
    ['a key', field.key()],
    ['a serial number', field.serial()],
    ['a merchant', field.merchant()],
    ['a file', field.file()],
  ])('%s with a character that nobody sees is refused, and says so', (_, schema) => {
    expect(schema.safeParse(unseen).error?.issues.map(issue => issue.message)).toEqual(['validation.unseen'])
    expect(schema.parse('LO123')).toBe('LO123')
  })

  it.each([
    ['a line', field.text()],
    ['a name', field.customerName()],
  ])('%s loses them', (_, schema) => {
    expect(schema.parse('\u202ENakato\u200D Aisha\u2069 ')).toBe('Nakato Aisha')
    expect(schema.safeParse('\u200B').success).toBe(false)
  })

  it('a remark loses them, and keeps what composes letters', () => {
    expect(field.remark().parse('\u202Ecalled 👨‍👩‍👧\u200B')).toBe('called 👨‍👩‍👧')
    expect(field.longText().parse('a\nb\u200F')).toBe('a\nb')
  })

  it('the same letters are the same text, however they were typed', () => {
    for (const schema of [field.key(), field.text(), field.remark(), field.customerName(), field.serial()])
      expect(schema.parse('e\u0301')).toBe('é')
  })

  it('JSON in which a key stands twice is none', () => {
    expect(field.json().safeParse('{"a":1,"a":2}').success).toBe(false)
    expect(field.json().safeParse('{"a":1,"b":{"a":2}}').success).toBe(true)
  })
})

describe('kinds of time and share', () => {
  const takes = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success

  it.each(['2026-01', '2026-12'])('takes the month %s', month => expect(takes(field.month(), month)).toBe(true))
  it.each(['2026-13', '2026-1', '26-01', '2026-01-01', ''])('refuses the month %s', month =>
    expect(takes(field.month(), month)).toBe(false),
  )
  it.each(['0', '12.5', '99.99', '100', '100.00'])('takes the share %s', share =>
    expect(takes(field.percent(), share)).toBe(true),
  )
  it.each(['100.01', '101', '-1', '1.234', '1,5', '%', ''])('refuses the share %s', share =>
    expect(takes(field.percent(), share)).toBe(false),
  )
  it.each([[['mon']], [['sun', 'mon']]])('takes the days %j', days => expect(takes(field.weekDays(), days)).toBe(true))
  it.each([[[]], [['mon', 'mon']], [['monday']], ['mon']])('refuses the days %j', days =>
    expect(takes(field.weekDays(), days)).toBe(false),
  )
})
