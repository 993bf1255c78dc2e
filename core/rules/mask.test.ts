import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mask } from './mask.ts'

describe('mask', () => {
  it.each([
    ['', '*****'],
    ['a', '*****'],
    ['12345', '*****'],
    ['123456', '12**56'],
    ['256123456789', '25********89'],
    ['CM920920920920', 'CM**********20'],
    ['阿明娜纳卡托', '阿明**卡托'],
    ['😀😀😀😀😀😀', '😀😀**😀😀'],
    ['👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧', '*****'],
    ['e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301', 'e\u0301e\u0301**e\u0301e\u0301'],
    ['🇺🇬🇺🇬🇺🇬🇺🇬🇺🇬', '*****'],
  ])('%j becomes %j', (text, masked) => expect(mask(text)).toBe(masked))

  it('keeps the length of longer texts and at most four characters of any', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 6, maxLength: 60 }).filter(text => !text.includes('*')),
        text => {
          const masked = mask(text)
          expect(masked).toHaveLength(text.length)
          expect(masked.replaceAll('*', '')).toBe(text.slice(0, 2) + text.slice(-2))
        },
      ),
    )
  })
})
