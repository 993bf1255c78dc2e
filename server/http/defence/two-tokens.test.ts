import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { livePath } from '../../../core/contract/common/live.ts'
import { contract } from '../../../core/contract/contract.ts'
import { liveEvents } from '../../live/live.ts'
import { silentLog } from '../../log.ts'
import { queuesOf } from '../../systems/portal/home/home.ts'
import { selfModule } from '../../systems/user/account/self.ts'
import { type Kit, openKit, type Person } from '../../testing/kit.ts'

let kit: Kit
let one: Person
let other: Person
beforeAll(async () => {
  kit = await openKit({ handmade: true, modules: [selfModule({ demo: false })] })
  one = await kit.person({ perms: [] })
  other = await kit.person({ perms: [] })
})
afterAll(() => kit.close())

const ask = (headers: Record<string, string>) => kit.call(contract.user.self, {}, { headers })
const noted = () =>
  kit.db.read(tx =>
    tx.rows(sql<{ path: string }>`select path from security_log where security_kind = 'session.twoTokens'`),
  )

it('two different tokens are nobody’s, in either header and however written, and stand in the security log', async () => {
  const two = [
    { token: one.token, authorization: `Bearer ${other.token}` },
    { token: one.token, authorization: `bearer ${other.token}` },
    { token: 'unknown', authorization: `Bearer ${one.token}` },
  ]
  for (const headers of two) expect((await ask(headers)).code).toBe(-10)
  expect(await noted()).toEqual(two.map(() => ({ path: contract.user.self.path })))
})

it('the same token in both headers is one', async () => {
  expect((await ask({ token: one.token, authorization: `Bearer ${one.token}` })).code).toBe(0)
})

it('opens no stream of events either', async () => {
  const live = liveEvents({ db: kit.db, log: silentLog, queuesOf })
  const headers = { token: one.token, authorization: `Bearer ${other.token}` }
  const answer = await live.open(new Request(`http://localhost${livePath}`, { headers }))
  expect(await answer.json()).toMatchObject({ code: -10 })
  expect((await noted()).at(-1)).toEqual({ path: livePath })
  live.close()
})

it('is written down a few times a minute, so that nobody fills the log', async () => {
  for (let n = 0; n < 20; n++) await ask({ token: one.token, authorization: `Bearer ${other.token}` })
  expect((await noted()).length).toBeLessThanOrEqual(11)
})
