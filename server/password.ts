import { hash, verify } from '@node-rs/argon2'
import { commonPasswords } from './common-passwords.ts'

/** Argon2id, which is the library's default: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const atOnce = 2

let running = 0
const waiting: (() => void)[] = []

/** Two hashes at a time: a burst of sign-ins must not take the memory and the cores of everything else. */
const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (running >= atOnce) await new Promise<void>(resolve => waiting.push(resolve))
  else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, cost))

let dummy: Promise<string> | undefined

/** Whether a password belongs to a hash. Without a hash it takes as long and answers no. */
export const isPassword = async (password: string, stored: string | undefined): Promise<boolean> => {
  dummy ??= hashPassword('nobody has this password')
  const against = stored?.startsWith('$argon2') ? stored : await dummy
  const matches = await inTurn(() => verify(against, password))
  return matches && against === stored
}

export type PasswordFlaw =
  | 'validation.pwdShort'
  | 'validation.pwdSame'
  | 'validation.pwdCommon'
  | 'validation.pwdContains'

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** What is wrong with a new password, or null. `words` are the names it must not contain. */
export const passwordFlaw = (given: {
  oldPassword: string
  newPassword: string
  words: readonly string[]
}): PasswordFlaw | null => {
  const { oldPassword, newPassword, words } = given
  if (Array.from(newPassword).length < 8) return 'validation.pwdShort'
  if (newPassword === oldPassword) return 'validation.pwdSame'
  const simple = plain(newPassword)
  if (commonPasswords.has(newPassword.toLowerCase()) || new Set(simple).size < 4) return 'validation.pwdCommon'
  const parts = words.flatMap(word => [word, ...word.split(/[\s._@-]+/)]).map(plain)
  return parts.some(part => part.length >= 4 && simple.includes(part)) ? 'validation.pwdContains' : null
}
