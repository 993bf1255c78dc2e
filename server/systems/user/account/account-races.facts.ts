import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { base, type Endpoint, type Envelope } from '../../../../core/contract/endpoint.ts'
import { countOf, many, nowhere, type Reply, rows, rowsAndVersions } from '../../../../tests/races/resource.ts'
import { system } from '../../../rights/actor.ts'
import { hashPassword } from '../../../session/password.ts'
import { recoveryOf } from '../../../session/recovery.ts'
import { hotp, stepAt } from '../../../session/totp.ts'
import { create, transition } from '../../../states/transition.ts'
import { openPartner } from '../../../testing/embedding.ts'
import { type Fixture, facts } from '../../../testing/facts.ts'
import type { Person } from '../../../testing/kit.ts'
import { mfaSealer } from './mfa-store.ts'

const { embed, signIn, user } = contract
const secret = Buffer.from('12345678901234567890')
const password = 'Nile-river-2025'

let addresses = 0
/** An address of its own, so that what one address may do is not what is tried. */
const newAddress = () => `10.${(++addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`

const from = async (
  fixture: Fixture,
  endpoint: Endpoint,
  input: unknown,
  { address = newAddress(), ...headers }: Record<string, string> = {},
) => {
  const init = {
    method: 'POST',
    body: JSON.stringify(input),
    headers: { 'content-type': 'application/json', ...headers },
  }
  const env = { incoming: { socket: { remoteAddress: address } } }
  const answer = await fixture.app.request(`${base}${endpoint.path}`, init, env)
  return (await answer.json()) as Reply & { data: { challengeId: string } }
}

const known = new WeakMap<Fixture, Promise<unknown>>()
const once = <T>(fixture: Fixture, make: () => Promise<T>): Promise<T> => {
  const made = (known.get(fixture) as Promise<T> | undefined) ?? make()
  known.set(fixture, made)
  return made
}

/** A partner, and a person who signs in with a password, has an authenticator and an external link. */
const doorsOf = (fixture: Fixture) =>
  once(fixture, async () => {
    const partner = await openPartner(fixture)
    const grace = await fixture.reviewer()
    await fixture.exec(
      sql`update app_user set password_hash = ${await hashPassword(password)} where user_no = ${grace.userNo}`,
    )
    const sealed = mfaSealer(fixture.secretKey).seal(secret, grace.userNo)
    await fixture.db.withTx(async tx => {
      const by = system('fixture')
      const row = { userNo: grace.userNo, sealedSecret: sealed, mfaStatus: 'unbound', version: 0 }
      await create(tx, 'mfa', { userNo: grace.userNo, sealedSecret: sealed }, { event: 'user.add' }, by)
      const binding = await transition(tx, 'mfa', row, { event: 'bind.start' }, by)
      await transition(tx, 'mfa', binding, { event: 'bind.confirm', as: 'right' }, by)
    })
    await fixture.exec(
      sql`insert into menu (menu_no, menu_name, menu_type, external_url) values ('CRM', 'CRM', 'external', 'https://crm.example/today')`,
    )
    await fixture.exec(sql`insert into role_menu (role_no, menu_no) values (${`R${grace.userNo}`}, 'CRM')`)
    return { partner, grace }
  })

/** Sign-ins that were begun, each from an address of its own. */
const challenges = (fixture: Fixture, n: number) =>
  Promise.all(
    many(n, async () => {
      const address = newAddress()
      const { data } = await from(fixture, signIn.challenge, {}, { address })
      return { challengeId: data.challengeId, address }
    }),
  )

/** Resets the counter of a name; its row exists then, so that no caller waits for the one that inserts it. */
const counted = (fixture: Fixture, name: string) =>
  fixture.exec(sql`
    insert into login_throttle (login_id, window_start) values (${name}, ${fixture.clock.now()})
    on conflict (login_id) do update set failures = 0, locks = 0, locked_until = null, window_start = excluded.window_start`)

/** One code is used by at most one call; the time goes on so that the next round has another code. */
const nextCode = async (fixture: Fixture, { userNo }: Person): Promise<string> => {
  await fixture.pass(2)
  await counted(fixture, `mfa:${userNo}`)
  await fixture.exec(
    sql`update session set ended_time = null, created_time = ${fixture.clock.now()} where user_no = ${userNo}`,
  )
  return hotp(secret, stepAt(fixture.clock.now()))
}

export default facts({
  races: [
    {
      name: 'a code of the authenticator',
      rule: 'A11, M07: a step is used once',
      available: 1,
      async make(fixture, parallel) {
        const { grace } = await doorsOf(fixture)
        const code = await nextCode(fixture, grace)
        return {
          tries: many(parallel, () => () => fixture.call(user.stepUp, { code }, { as: grace })),
          after: () => nextCode(fixture, grace).then(() => undefined),
        }
      },
      at: /insert into login_throttle/,
      kept: { by: rowsAndVersions, at: /from user_mfa where/ },
    },
    {
      name: 'a hand-off code',
      rule: 'K2: a code reveals its sender once',
      available: 1,
      async make(fixture, parallel) {
        const { grace, partner } = await doorsOf(fixture)
        const { code } = fixture.must(await fixture.call(user.handoff, { menuNo: 'CRM' }, { as: grace }))
        return { tries: many(parallel, () => () => from(fixture, embed.handoff, { code }, partner.basic())) }
      },
      at: /update handoff_code/,
      kept: { by: [[/h\.used_time is null/, 'true']], at: nowhere },
    },
    {
      name: 'the renewal of an embed token',
      rule: 'M03: a token is followed by one other',
      available: 1,
      async make(fixture, parallel) {
        const { grace, partner } = await doorsOf(fixture)
        const { as, headers } = await partner.page(grace)
        await fixture.pass(14)
        return { tries: many(parallel, () => () => fixture.call(embed.refresh, {}, { as, headers })) }
      },
      at: /from embed_token t where t\.embed_token_no = \$1 for update/,
      kept: { by: rowsAndVersions, at: /from embed_token t where t\.embed_token_no = \$1/ },
    },
    {
      name: 'guesses at a password',
      rule: 'A1, M05: five wrong ones close the name',
      available: 5,
      async make(fixture, parallel) {
        const username = `ghost${randomUUID().slice(0, 8)}`
        const begun = await challenges(fixture, parallel)
        await counted(fixture, username)
        return {
          tries: begun.map(
            ({ challengeId, address }) =>
              () =>
                from(fixture, signIn.login, { challengeId, username, password: 'wrong' }, { address }),
          ),
          async taken() {
            const { locks, failures } = await fixture.one(
              sql<{
                locks: number
                failures: number
              }>`select locks, failures from login_throttle where login_id = ${username}`,
            )
            return locks > 0 ? locks * 5 + failures : parallel
          },
        }
      },
      at: /insert into login_throttle/,
      kept: { by: rows, at: /from login_throttle where/ },
    },
    {
      name: 'a challenge of signing in',
      rule: 'M01: a challenge is used up by the first try',
      available: 1,
      async make(fixture, parallel) {
        const { grace } = await doorsOf(fixture)
        const [begun] = await challenges(fixture, 1)
        const { challengeId, address } = begun!
        const input = { challengeId, username: `login.${grace.userNo}`, password }
        return {
          tries: many(parallel, () => () => from(fixture, signIn.login, input, { address })),
        }
      },
      at: /from login_challenge/,
      kept: {
        by: [...rowsAndVersions, [/used_time is null/, 'true']],
        at: nowhere,
        alsoBy: 'its state, in the statement that changes it',
      },
    },
    {
      name: 'the sessions of a person',
      rule: 'R12, M02: three at a time',
      available: 3,
      async make(fixture, parallel) {
        const { grace } = await doorsOf(fixture)
        const username = `login.${grace.userNo}`
        const begun = await challenges(fixture, parallel)
        const live = sql`select 1 from session where user_no = ${grace.userNo} and ended_time is null`
        await fixture.exec(
          sql`update session set ended_time = now() where user_no = ${grace.userNo} and session_no <> ${`S${grace.userNo}`}`,
        )
        // Earlier guesses are cleared: a first guess, and the first success after one, let only one in at a time.
        await fixture.exec(sql`
        insert into login_throttle (login_id, window_start) values (${username.toLowerCase()}, now())
        on conflict (login_id) do update set failures = 0, locked_until = null`)
        const recovery = recoveryOf(fixture.secretKey)
        const codes = await fixture.db.withTx(tx => recovery.renew(tx, grace.userNo, parallel))
        for (const { challengeId, address } of begun)
          fixture.must(
            (await from(fixture, signIn.login, { challengeId, username, password }, { address })) as Envelope<unknown>,
          )
        return {
          tries: begun.map(
            ({ challengeId, address }, n) =>
              () =>
                from(fixture, signIn.verifyMfa, { challengeId, code: codes[n] }, { address }),
          ),
          taken: () => countOf(fixture, live),
          after: () => nextCode(fixture, grace).then(() => undefined),
        }
      },
      at: /from user_mfa where/,
      kept: { by: rowsAndVersions, at: nowhere, alsoBy: 'the row of the authenticator, which each of them changes' },
    },
  ],
})
