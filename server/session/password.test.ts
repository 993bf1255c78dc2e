import { describe, expect, it } from 'vitest'
import { systemClock } from '../db/clock.ts'
import { openDatabase } from '../db/database.ts'
import { hashPassword, isPassword, passwordFlaw } from './password.ts'

describe('a password', () => {
  it('is kept as argon2id with 19 MiB, two passes and one lane, never twice the same', async () => {
    const [a, b] = await Promise.all([hashPassword('Papyrus-Reed-9'), hashPassword('Papyrus-Reed-9')])
    expect(a).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(a).not.toBe(b)
    expect(await isPassword('Papyrus-Reed-9', a)).toBe(true)
    expect(await isPassword('papyrus-reed-9', a)).toBe(false)
  })

  it('belongs to nobody where there is no hash', async () => {
    expect(await isPassword('nobody has this password', undefined)).toBe(false)
    expect(await isPassword('none', 'none')).toBe(false)
  })

  it('is checked for many at once', async () => {
    const stored = await hashPassword('Papyrus-Reed-9')
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, n) => isPassword(n % 2 ? 'Papyrus-Reed-9' : 'other', stored)),
    )
    expect(answers).toEqual([false, true, false, true, false, true, false, true, false])
  })
})

describe('a new password', () => {
  const flaw = (newPassword: string) =>
    passwordFlaw({ oldPassword: 'Papyrus-Reed-9', newPassword, words: ['audit.lead', 'Samuel Okello', 'Nile Credit'] })
  it.each([
    ['Water-Lily-27', null],
    ['水稻田边的白鹭飞', null],
    ['Reed-9', 'validation.pwdShort'],
    ['Papyrus-Reed-9', 'validation.pwdSame'],
    ['PASSWORD123', 'validation.pwdCommon'],
    ['abababababab', 'validation.pwdCommon'],
    ['Okello-2026!', 'validation.pwdContains'],
    ['my.audit.lead.1', 'validation.pwdContains'],
    ['NileCredit#77', 'validation.pwdContains'],
  ])('%s: %s', (given, expected) => {
    expect(flaw(given)).toBe(expected)
  })
})

it('hashes and checks outside of transactions only', async () => {
  const db = await openDatabase({ memory: true, clock: systemClock })
  const stored = await hashPassword('Nile-Boat-47')
  const work = () => isPassword('Nile-Boat-47', stored)
  await expect(db.withTx(work)).rejects.toThrow('while a transaction is open')
  await expect(db.read(work)).rejects.toThrow('while a transaction is open')
  await expect(db.withTx(() => hashPassword('Nile-Boat-47'))).rejects.toThrow('while a transaction is open')
  expect(await work()).toBe(true)
  await db.close()
})
