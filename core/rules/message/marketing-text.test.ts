import { expect, it } from 'vitest'
import { saysHowToStop, withOptOut, wrongLinks } from './marketing-text.ts'

it('ends with how to get no more of them', () => {
  expect(withOptOut('Borrow again. ', 'Reply STOP to end.')).toBe('Borrow again. Reply STOP to end.')
})

it.each<[string, string[]]>([
  ['Apply at https://loans.nile.example/go.', []],
  ['Apply at http://loans.nile.example', ['http://loans.nile.example']],
  ['Apply at https://evil.example/x', ['https://evil.example/x']],
  ['See www.nile.example', ['www.nile.example']],
  ['See bit.ly/abc, now', ['bit.ly/abc']],
  ['Pay UGX 5.000 today. Thank you', []],
])('%s', (text, wrong) => {
  expect(wrongLinks(text, ['*.nile.example'])).toEqual(wrong)
})

it('knows a line that names a word which opts out, in any language', () => {
  expect(['Reply STOP to opt out', 'Jibu ACHA kusitisha', '回复STOP退订', 'Call us'].map(saysHowToStop)).toEqual([
    true,
    true,
    true,
    false,
  ])
})
