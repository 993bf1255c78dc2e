import { expect, it } from 'vitest'
import { sealerOf } from './seal.ts'

const key = Buffer.from('a key of this installation, kept well')
const secret = Buffer.from('the secret of Grace')
const own = sealerOf(key, 'mfa')

it('opens what it sealed', () => {
  expect(own.open(own.seal(secret, 'U1'), 'U1')).toEqual(secret)
})

it('never writes the same text twice, and none that shows the secret', () => {
  const [one, other] = [own.seal(secret, 'U1'), own.seal(secret, 'U1')]
  expect(one).not.toBe(other)
  expect(Buffer.from(one, 'base64url').includes(secret)).toBe(false)
})

it('opens nothing for somebody else, of another purpose, with another key, or that was changed', () => {
  const sealed = own.seal(secret, 'U1')
  const spoilt = `${sealed.slice(0, 20)}${sealed[20] === 'A' ? 'B' : 'A'}${sealed.slice(21)}`
  expect(() => own.open(sealed, 'U2')).toThrow()
  expect(() => sealerOf(key, 'export').open(sealed, 'U1')).toThrow()
  expect(() => sealerOf(Buffer.from('another key'), 'mfa').open(sealed, 'U1')).toThrow()
  expect(() => own.open(spoilt, 'U1')).toThrow()
})
