import { hash, verify } from '@node-rs/argon2'
import { brokenRules, type PasswordRule } from '../../core/rules/password.ts'
import { refuseInTransaction } from '../db/in-transaction.ts'
import { Fault } from '../http/fault.ts'

/** Argon2id, which is the library's default: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const atOnce = 2

/** Nobody waits longer than this for a turn: they have to try again. */
const patienceMs = 2_000

let running = 0
const waiting: (() => void)[] = []

/** Waits for a turn, and gives up when there are too many before. */
const turn = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const take = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(take), 1)
      reject(new Fault('tooMany', 'errors.tooManyAttempts', { seconds: patienceMs / 1000 }))
    }, patienceMs)
    waiting.push(take)
  })

/**
 * Two hashes at a time: a burst of sign-ins must not take the memory and the cores of everything else. Who would wait for more than two
 * seconds is refused.
 */
const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  refuseInTransaction('a password is hashed')
  if (running >= atOnce) await turn()
  else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

/** Hashes with argon2id, two at a time, as each takes 19 MB. Never call it inside a transaction. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, cost))

let dummy: Promise<string> | undefined

/** Whether a password belongs to a hash. Without a hash it takes as long and answers no. */
export const isPassword = async (password: string, stored: string | undefined): Promise<boolean> => {
  dummy ??= hash('nobody has this password', cost)
  const against = stored?.startsWith('$argon2') ? stored : await dummy
  const matches = await inTurn(() => verify(against, password))
  return matches && against === stored
}

/** What is wrong with a new password, or null. `words` are the names it must not contain. */
export const passwordFlaw = (given: Parameters<typeof brokenRules>[0]): `validation.${PasswordRule}` | null => {
  const [first] = brokenRules(given)
  return first ? `validation.${first}` : null
}
