import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { LiveEvent, livePath } from '../../core/contract/common/live.ts'
import { user } from '../../core/contract/user/user.ts'
import type { Tx } from '../db/database.ts'
import { silentLog } from '../log.ts'
import { queuesOf } from '../systems/portal/home/home.ts'
import { authModule } from '../systems/user/account/auth.ts'
import { type Kit, openKit, type Person } from '../testing/kit.ts'
import { type Live, liveEvents } from './live.ts'

let kit: Kit
let live: Live
let open: AbortController[] = []

beforeAll(async () => {
  kit = await openKit({ modules: [authModule()] })
})
afterEach(() => {
  for (const one of open) one.abort()
  open = []
  live.close()
})
afterAll(() => kit.close())

const start = (beatMs = 60_000) => {
  live = liveEvents({ db: kit.db, log: silentLog, queuesOf, tickMs: 10, beatMs })
}

/** Listens as a browser does; `heard` grows by itself. */
const listen = async (as: Person, lastId?: string) => {
  const heard: LiveEvent[] = []
  const seen = { heard, id: '', beats: 0, ended: false }
  const answer = await live.open(
    new Request(`http://localhost${livePath}`, {
      headers: { token: as.token, ...(lastId ? { 'last-event-id': lastId } : {}) },
    }),
  )
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  const stop = new AbortController()
  stop.signal.addEventListener('abort', () => void reader.cancel())
  open.push(stop)
  const read = async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      for (const block of new TextDecoder().decode(value).split('\n\n').filter(Boolean)) {
        seen.id = /^id: (.+)$/m.exec(block)?.[1] ?? seen.id
        const event = /^event: (.+)$/m.exec(block)?.[1]
        if (!event) seen.beats++
        else heard.push(LiveEvent.parse({ event, ...JSON.parse(/^data: (.+)$/m.exec(block)?.[1] ?? '{}') }))
      }
    }
    seen.ended = true
  }
  void read()
  await expect.poll(() => heard).toContainEqual({ event: 'ready' })
  return Object.assign(seen, { stop: () => stop.abort() })
}
const names = (heard: readonly LiveEvent[]) => heard.map(({ event }) => event)
const message = (tx: Tx, to: Person) =>
  tx.exec(sql`insert into user_event (user_no, event) values (${to.userNo}, 'message.new')`)

describe('a stream', () => {
  it('is refused without a session, as a call is', async () => {
    start()
    const answer = await live.open(new Request(`http://localhost${livePath}`, { headers: { token: 'nothing' } }))
    expect(await answer.json()).toMatchObject({ code: -10, data: null })
  })

  it('tells a person their own events, and nobody else’s', async () => {
    start()
    const [ann, ben] = [await kit.person({ perms: [] }), await kit.person({ perms: [] })]
    const [hers, his] = [await listen(ann), await listen(ben)]
    await kit.db.withTx(tx => message(tx, ann))
    await expect.poll(() => names(hers.heard)).toEqual(['ready', 'message.new'])
    await kit.db.withTx(tx => message(tx, ben))
    await expect.poll(() => names(his.heard)).toEqual(['ready', 'message.new'])
    expect(names(hers.heard)).toEqual(['ready', 'message.new'])
  })

  it('tells nothing of a transaction that was rolled back', async () => {
    start()
    const ann = await kit.person({ perms: [] })
    const hers = await listen(ann)
    await expect(
      kit.db.withTx(async tx => {
        await message(tx, ann)
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    await kit.db.withTx(tx =>
      tx.exec(sql`insert into user_event (user_no, event) values (${ann.userNo}, 'perms.changed')`),
    )
    await expect.poll(() => names(hers.heard)).toEqual(['ready', 'perms.changed'])
  })

  it('replays what was missed, once and in order, also to another process', async () => {
    start()
    const ann = await kit.person({ perms: [] })
    const first = await listen(ann)
    await kit.db.withTx(tx => message(tx, ann))
    await expect.poll(() => names(first.heard)).toEqual(['ready', 'message.new'])
    const { id } = first
    first.stop()
    live.close()
    await kit.db.withTx(tx => message(tx, ann))
    await kit.db.withTx(tx =>
      tx.exec(sql`insert into user_event (user_no, event) values (${ann.userNo}, 'perms.changed')`),
    )
    start()
    const second = await listen(ann, id)
    await expect.poll(() => names(second.heard)).toEqual(['ready', 'message.new', 'perms.changed'])
    const third = await listen(ann, second.id)
    await kit.db.withTx(tx => message(tx, ann))
    await expect.poll(() => names(third.heard)).toEqual(['ready', 'message.new'])
  })

  it.each(['nonsense', '999999999999-1'])('begins at the present when the last id is %s', async id => {
    start()
    const ann = await kit.person({ perms: [] })
    await kit.db.withTx(tx => message(tx, ann))
    const hers = await listen(ann, id)
    await kit.db.withTx(tx =>
      tx.exec(sql`insert into user_event (user_no, event) values (${ann.userNo}, 'perms.changed')`),
    )
    await expect.poll(() => names(hers.heard)).toEqual(['ready', 'perms.changed'])
  })

  it('says that queues moved to those who have them, after the commit', async () => {
    start()
    const pages = ['/AdminContent/AuditSystem/OrderAllocation', 'audit:allot:page']
    const [lead, other] = [await kit.person({ perms: pages }), await kit.person({ perms: [] })]
    const [hers, his] = [await listen(lead), await listen(other)]
    await kit.db.withTx(async tx => tx.moved('order'))
    await expect.poll(() => hers.heard).toContainEqual({ event: 'queue.changed', queues: ['unallotted'] })
    await kit.db.withTx(tx => message(tx, other))
    await expect.poll(() => names(his.heard)).toEqual(['ready', 'message.new'])
  })

  it('says that rights changed when a role loses one', async () => {
    start()
    const ann = await kit.person({ perms: ['a:b:c'] })
    const hers = await listen(ann)
    await kit.db.withTx(tx =>
      tx.exec(sql`delete from role_menu where role_no = ${`R${ann.userNo}`} and limit_type is null`),
    )
    await expect.poll(() => names(hers.heard)).toEqual(['ready', 'perms.changed'])
  })

  it('ends with the session, and not with another one of the same person', async () => {
    start()
    const ann = await kit.person({ perms: [] })
    await kit.db.withTx(tx =>
      tx.exec(
        sql`insert into session (session_no, token_hash, user_no, created_time, last_seen_time) values ('other', 'other', ${ann.userNo}, ${tx.now}, ${tx.now})`,
      ),
    )
    const hers = await listen(ann)
    await kit.db.withTx(async tx => {
      await tx.exec(sql`update session set ended_time = ${tx.now} where session_no = 'other'`)
      await message(tx, ann)
    })
    await expect.poll(() => names(hers.heard)).toEqual(['ready', 'message.new'])
    expect((await kit.call(user.signOut, {}, { as: ann })).code).toBe(0)
    await expect.poll(() => hers.ended).toBe(true)
    expect(names(hers.heard)).toEqual(['ready', 'message.new', 'session.revoked'])
  })

  it('beats, without keeping the session alive, and ends when that is over', async () => {
    start(20)
    const ann = await kit.person({ perms: [] })
    const hers = await listen(ann)
    await expect.poll(() => hers.beats).toBeGreaterThan(1)
    kit.clock.advance(31 * 60_000)
    await expect.poll(() => hers.ended).toBe(true)
    expect(names(hers.heard).at(-1)).toBe('session.revoked')
  })
})
