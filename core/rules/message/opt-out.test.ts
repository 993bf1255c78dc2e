import { expect, it } from 'vitest'
import { wishOf } from './opt-out.ts'

it.each([
  ['STOP', 'stop'],
  [' acha tafadhali', 'stop'],
  ['"Sitisha!"', 'stop'],
  ['ＳＴＯＰ', 'stop'],
  ['unsubscribe me', 'stop'],
  ['Anza', 'start'],
  ['please stop', null],
  ['stopping by tomorrow', null],
  ['', null],
])('%s asks for %s', (reply, wish) => expect(wishOf(reply)).toBe(wish))
