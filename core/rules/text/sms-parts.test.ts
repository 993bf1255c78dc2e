import { expect, it } from 'vitest'
import { smsParts } from './sms-parts.ts'

it.each([
  ['a'.repeat(160), 'gsm7', 1, 160, 160],
  ['a'.repeat(161), 'gsm7', 2, 161, 306],
  ['a'.repeat(306), 'gsm7', 2, 306, 306],
  ['a'.repeat(307), 'gsm7', 3, 307, 459],
  [`${'a'.repeat(159)}€`, 'gsm7', 2, 161, 306],
  ['验'.repeat(70), 'ucs2', 1, 70, 70],
  ['验'.repeat(71), 'ucs2', 2, 71, 134],
  [`${'a'.repeat(69)}’`, 'ucs2', 1, 70, 70],
  [`${'a'.repeat(70)}’`, 'ucs2', 2, 71, 134],
])('a text of its length and letters (%#) is sent as %s', (text, encoding, parts, length, room) => {
  expect(smsParts(text)).toMatchObject({ encoding, parts, length, room })
})

it('names the characters that make a text dear, each once', () => {
  expect(smsParts('Don’t “wait”, don’t')).toMatchObject({ encoding: 'ucs2', forced: ['’', '“', '”'] })
  expect(smsParts('{plain} ~ €')).toMatchObject({ encoding: 'gsm7', forced: [] })
})
