import { expect, it } from 'vitest'
import { smsParts } from './sms-parts.ts'

it.each([
  ['a'.repeat(160), 'gsm7', 1],
  ['a'.repeat(161), 'gsm7', 2],
  ['a'.repeat(306), 'gsm7', 2],
  ['a'.repeat(307), 'gsm7', 3],
  [`${'a'.repeat(159)}€`, 'gsm7', 2],
  ['验'.repeat(70), 'ucs2', 1],
  ['验'.repeat(71), 'ucs2', 2],
  [`${'a'.repeat(69)}’`, 'ucs2', 1],
  [`${'a'.repeat(70)}’`, 'ucs2', 2],
])('a text of its length and letters (%#) is sent as %s', (text, encoding, parts) => {
  expect(smsParts(text)).toEqual({ encoding, parts })
})
