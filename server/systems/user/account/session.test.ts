import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { openSession } from '../../../session/session.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { sessionModule } from './session.ts'

const { session } = contract
let kit: Kit
let ann: Person
beforeAll(async () => {
  kit = await openKit({ modules: [sessionModule()] })
})
beforeEach(async () => {
  ann = await kit.person({ perms: [] })
})
afterAll(() => kit.close())

const elsewhere = async (browser: string): Promise<Person> => ({
  ...ann,
  token: await kit.db.withTx(tx => openSession(tx, ann.userNo, { ip: '41.210.1.1', browser })),
})
const mine = async (as: Person) => (await kit.call(session.mine, {}, { as })).data?.list

it('lists the own live sessions and marks the one that asks, without what could be used as one', async () => {
  const ben = await kit.person({ perms: [] })
  const phone = await elsewhere('phone')
  expect(await mine(phone)).toEqual([
    expect.objectContaining({ browser: 'phone', ip: '41.210.1.1', current: true }),
    expect.objectContaining({ browser: null, current: false }),
  ])
  expect((await mine(ann))?.map(row => row.current)).toEqual([true, false])
  expect(Object.keys((await mine(ben))?.[0] ?? {}).sort()).toEqual([
    'browser',
    'createdTime',
    'current',
    'ip',
    'lastSeenTime',
  ])
})

it('leaves out those that are over, though nobody has ended them', async () => {
  await elsewhere('forgotten')
  kit.clock.advance(20 * 60_000)
  expect(await mine(ann)).toHaveLength(2)
  kit.clock.advance(11 * 60_000)
  expect(await mine(ann)).toHaveLength(1)
})

it('ends all others, with a line in the audit log, and not those of anybody else', async () => {
  const [one, two, ben] = [await elsewhere('one'), await elsewhere('two'), await kit.person({ perms: [] })]
  expect((await kit.call(session.revokeOthers, {}, { as: two })).data).toEqual({ ended: 2 })
  expect((await kit.call(session.mine, {}, { as: one })).code).toBe(-10)
  expect((await kit.call(session.mine, {}, { as: ann })).code).toBe(-10)
  expect(await mine(two)).toHaveLength(1)
  expect(await mine(ben)).toHaveLength(1)
  const [line] = await kit.db.read(tx =>
    tx.rows(sql`select object_no, actor, after from audit_log where action = 'user.revokeOthers'`),
  )
  expect(line).toEqual({ objectNo: ann.userNo, actor: ann.userNo, after: { sessionsEnded: 2 } })
})
