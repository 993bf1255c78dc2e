import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { isFull } from '../../../../tests/sizes.ts'
import { type Kit, openKit } from '../../../testing/kit.ts'
import { asks } from '../../../testing/sign-in.ts'
import { signInModule } from './sign-in.ts'

/** Stands in for the hash: says what was compared with what, and lets a test hold the comparison up. */
const hashes = vi.hoisted(() => ({ compared: [] as [string, string][], held: Promise.resolve() }))
vi.mock('@node-rs/argon2', () => ({
  hash: (password: string) => Promise.resolve(`$argon2id$${password}`),
  verify: async (stored: string, given: string) => {
    hashes.compared.push([stored, given])
    await hashes.held
    return stored === `$argon2id$${given}`
  },
}))

const { signIn } = contract
const minute = 60_000
const password = 'Nile-Boat-47'
const own = `$argon2id$${password}`

let kit: Kit
beforeAll(async () => {
  // Sign-ins are copied as no command would.
  kit = await openKit({
    handmade: true,
    modules: [
      signInModule(
        { secretKey: Buffer.alloc(32) },
        { challenges: 1_000_000, perAddress: 1_000_000, failures: 1_000_000 },
      ),
    ],
  })
})
afterEach(() => {
  hashes.compared.length = 0
  hashes.held = Promise.resolve()
})
afterAll(() => kit.close())

const worker = async () => {
  const { userNo } = await kit.person({ perms: [] })
  await kit.db.withTx(tx => tx.exec(sql`update app_user set password_hash = ${own} where user_no = ${userNo}`))
  return `login.${userNo}`
}
const begin = async () => (await kit.call(signIn.challenge, {})).data.challengeId
/** Sign-ins that have begun without a name, each a copy of one. */
const begun = async (count: number): Promise<string[]> => {
  const first = await begin()
  const made = Array.from({ length: count }, (_, n) => `${first}-${n}`)
  await kit.db.withTx(tx =>
    tx.exec(sql`
      insert into login_challenge
      select (jsonb_populate_record(c, jsonb_build_object('challenge_id', id))).* from login_challenge c, unnest(${made}::text[]) id
      where c.challenge_id = ${first}`),
  )
  return made
}
const looks = () => hashes.compared.filter(([stored]) => stored === own)

it('ten thousand guesses of one name reach its password five times in a quarter of an hour, the right one among them not at all', async () => {
  const username = await worker()
  const [count, atOnce] = [isFull ? 10_000 : 400, 40]
  const codes = new Set<string>()
  for (let from = 0; from < count; from += atOnce) {
    const guesses = (await begun(atOnce)).map((challengeId, n) =>
      // The right one is among those that come after the fifth.
      kit.call(signIn.login, {
        challengeId,
        username,
        password: from > 0 && n === 7 ? password : `guess-${from}-${n}`,
      }),
    )
    for (const { code, msg } of await Promise.all(guesses)) codes.add(`${code} ${msg}`)
  }
  expect(looks().length).toBeGreaterThan(0)
  expect(looks().length).toBeLessThanOrEqual(5)
  expect(codes.size).toBe(1)
  // Each of the others is compared with the hash of nobody, so that it takes as long.
  expect(hashes.compared.length).toBe(count)
  kit.clock.advance(16 * minute)
  expect((await asks(kit, { username, password })).code).toBe(0)
}, 900_000)

it('A19: who would wait longer than two seconds for the check of a password is asked to come back, and that counts as no try', async () => {
  const [busy, waiting] = [await worker(), await worker()]
  let go = () => {}
  hashes.held = new Promise(resolve => {
    go = resolve
  })
  const running = [asks(kit, { username: busy, password }), asks(kit, { username: busy, password: 'wrong-password' })]
  await expect.poll(() => hashes.compared.length).toBe(2)
  const refused = await asks(kit, { username: waiting, password: 'wrong-password' })
  expect(refused).toMatchObject({ code: 42901, msg: 'Too many attempts; try again in 2 s' })
  expect(hashes.compared.length).toBe(2)
  go()
  expect((await Promise.all(running)).map(answer => answer.code)).toEqual([0, 40001])
  const [counted] = await kit.db.read(tx =>
    tx.rows(sql<{ failures: number }>`select failures from login_throttle where login_id = ${waiting.toLowerCase()}`),
  )
  expect(counted?.failures).toBe(0)
  expect((await asks(kit, { username: waiting, password })).code).toBe(0)
})
