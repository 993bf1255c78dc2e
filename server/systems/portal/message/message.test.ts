import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { Tx } from '../../../db/database.ts'
import type { Step } from '../../../jobs/scheduler.ts'
import { tell } from '../../../messages/message.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { retentionModule } from '../../common/retention.ts'
import { messageModule } from './message.ts'

const { message } = contract

let kit: Kit
let ann: Person
let ben: Person

beforeAll(async () => {
  kit = await openKit({ modules: [messageModule()] })
})
beforeEach(async () => {
  ;[ann, ben] = [await kit.person({ perms: [] }), await kit.person({ perms: [] })]
})
afterAll(() => kit.close())

const allotted = (to: Person, orderNo: string, known?: true) =>
  kit.db.withTx(async tx =>
    tell(tx, {
      to: to.userNo,
      messageType: 'allocation',
      template: 'allotted',
      params: { orderNo, amount: '1250000.00' },
      objectType: 'order',
      objectNo: orderNo,
      route: `/x?orderNo=${orderNo}`,
      ...(known ? { known } : {}),
    }),
  )
const page = async (as: Person, input = {}) => (await kit.call(message.page, input, { as })).data
const unread = async (as: Person) => (await kit.call(message.count, {}, { as })).data.unread
const read = async (as: Person, staffMessageNos?: string[]) =>
  (await kit.call(message.markRead, staffMessageNos ? { staffMessageNos } : {}, { as })).data.read
const eventsOf = (who: Person) =>
  kit.db.read(tx =>
    tx.rows(
      sql<{ event: string }>`select event from user_event where user_no = ${who.userNo} and event = 'message.new'`,
    ),
  )

describe('messages', () => {
  it('belong to one person and are said in the language of the reader', async () => {
    await allotted(ann, 'LO1')
    const [row] = (await page(ann)).list
    expect(row).toMatchObject({
      messageType: 'allocation',
      title: 'New order to review',
      content: 'Order LO1 (UGX 1,250,000 requested) was allocated to you',
      route: '/x?orderNo=LO1',
      readTime: null,
    })
    const swahili = await kit.call(message.page, {}, { as: ann, language: 'sw' })
    expect(swahili.data.list[0]?.title).toBe('Ombi jipya la kukagua')
    expect((await page(ben)).total).toBe(0)
    expect(await unread(ben)).toBe(0)
  })

  it('are counted until they are read, and then found among the read ones', async () => {
    for (const no of ['LO1', 'LO2']) await allotted(ann, no)
    await allotted(ann, 'LO3', true)
    expect(await unread(ann)).toBe(2)
    const [first] = (await page(ann, { unread: true })).list
    expect(await read(ann, [first?.staffMessageNo ?? ''])).toBe(1)
    expect(await read(ann, [first?.staffMessageNo ?? ''])).toBe(0)
    expect(await unread(ann)).toBe(1)
    expect((await page(ann, { unread: false })).total).toBe(2)
    expect(await read(ann)).toBe(1)
    expect(await unread(ann)).toBe(0)
    expect((await page(ann)).total).toBe(3)
  })

  it('of others stay unread whatever is named', async () => {
    await allotted(ann, 'LO1')
    const [hers] = (await page(ann)).list
    expect(await read(ben, [hers?.staffMessageNo ?? ''])).toBe(0)
    expect(await read(ben)).toBe(0)
    expect(await unread(ann)).toBe(1)
  })

  it('make one event a transaction for each receiver, and none when it is rolled back', async () => {
    await kit.db.withTx(async tx => {
      const one = {
        messageType: 'notice',
        template: 'allotted',
        params: {},
        objectType: 'order',
        objectNo: 'x',
        route: null,
      } as const
      for (const to of [ann.userNo, ann.userNo, ben.userNo]) tell(tx, { to, ...one })
    })
    expect([await eventsOf(ann), await eventsOf(ben)]).toEqual([[{ event: 'message.new' }], [{ event: 'message.new' }]])
    await expect(
      kit.db.withTx(async tx => {
        tell(tx, {
          to: ann.userNo,
          messageType: 'notice',
          template: 'allotted',
          params: {},
          objectType: 'order',
          objectNo: 'x',
          route: null,
        })
        await tx.flush()
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(await eventsOf(ann)).toHaveLength(1)
  })
})

describe('retention', () => {
  const run = async () => {
    const [job] = retentionModule().chunked ?? []
    const sums: Record<string, number> = {}
    for (let cursor: string | null = null; ; ) {
      const from: string | null = cursor
      const step: Step = await kit.db.withTx(tx => job?.chunk(tx, { date: tx.today, cursor: from }) ?? Promise.reject())
      for (const [name, count] of Object.entries(step.counts ?? {})) sums[name] = (sums[name] ?? 0) + count
      cursor = step.cursor
      if (cursor === null) return sums
    }
  }
  const age = (days: number) =>
    kit.db.withTx(tx =>
      tx.exec(sql`update staff_message set created_time = ${new Date(tx.now.getTime() - days * 86_400_000)}`),
    )

  it('removes callbacks, answers under keys and attempts to sign in when their time is over, and none before', async () => {
    const rowsOf = (day: string) => [
      sql`insert into inbound_event (channel, event_id, body_hash, body, received_time) values ('mtn_momo', ${day}, 'h', '{}', ${day}::timestamptz)`,
      sql`insert into idempotency (caller, idempotency_key, endpoint, body_hash, idempotency_status, answer, created_time) values ('U', ${day}, '/x', 'h', 'finished', '{}', ${day}::timestamptz)`,
      sql`insert into login_challenge (challenge_id, created_time, expires_time, client) values (${day}, ${day}::timestamptz, ${day}::timestamptz, 'c')`,
      sql`insert into login_throttle (login_id, window_start) values (${day}, ${day}::timestamptz)`,
    ]
    const days = { callbacks: [200, 170], keys: [31, 8], challenges: [2, 0], throttles: [3, 1] }
    const at = (count: number) => new Date(kit.clock.now().getTime() - count * 86_400_000).toISOString()
    await kit.db.withTx(async tx => {
      for (const [place, [over, kept]] of Object.values(days).entries())
        for (const count of [over, kept]) await tx.exec(rowsOf(at(count as number))[place] as never)
    })
    expect(await run()).toMatchObject({ callbacks: 1, keys: 1, challenges: 1, throttles: 1 })
    expect(await run()).toMatchObject({ callbacks: 0, keys: 0, challenges: 0, throttles: 0 })
    // Written past its machine: it has no event that a status could follow from.
    await kit.db.withTx(tx => tx.exec(sql`delete from login_challenge where client = 'c'`))
  })

  it('removes codes with what was sent of them, raw reports and sessions when their time is over, and none before', async () => {
    const at = (count: number) => new Date(kit.clock.now().getTime() - count * 86_400_000)
    const counts = () =>
      kit.db.read(async tx => {
        const count = async (table: string) =>
          (await tx.one(sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`)).n
        return {
          codes: await count('verify_code'),
          messages: (
            await tx.one(sql<{ n: number }>`select count(*)::int as n from message where object_type = 'verifyCode'`)
          ).n,
          lifts: await count('verify_code_lift'),
          reports: await count('sms_report'),
        }
      })
    await kit.db.withTx(async tx => {
      for (const days of [89, 91]) {
        const [message, code] = [`MSG${days}`, `VC${days}`]
        await tx.exec(sql`
          insert into message (message_no, message_status, channel_type, template, language, recipient, object_type, object_no, created_time)
          values (${message}, 'delivered', 'sms', 'code', 'en', '256772000001', 'verifyCode', ${code}, ${at(days)})`)
        await tx.exec(sql`
          insert into verify_code (code_no, code_status, scene, channel_type, phone, code_hash, language, send_time, expires_time, message_no)
          values (${code}, 'expired', 'login', 'sms', '256772000001', 'h', 'en', ${at(days)}, ${at(days)}, ${message})`)
        await tx.exec(sql`
          insert into verify_code_lift (phone, business_date, until_time, reason, created_by, created_time)
          values ('256772000001', ${at(days)}::date, ${at(days)}, 'asked', ${ann.userNo}, ${at(days)})`)
        await tx.exec(sql`
          insert into session (session_no, token_hash, user_no, created_time, last_seen_time, ended_time, ended_reason)
          values (${`SE${days}`}, ${`hash ${days}`}, ${ann.userNo}, ${at(days)}, ${at(days)}, ${at(days)}, 'signed_out')`)
      }
      await tx.exec(sql`
        insert into message (message_no, message_status, channel_type, template, language, recipient, object_type, object_no, created_time)
        values ('MSGother', 'delivered', 'sms', 'welcome', 'en', '256772000001', 'user', ${ann.userNo}, ${at(400)})`)
      for (const days of [179, 181])
        await tx.exec(
          sql`insert into sms_report (account_no, body, outcome, received_time) values ('A1', '{}', 'known', ${at(days)})`,
        )
    })
    expect(await run()).toMatchObject({ codes: 1, codeMessages: 1, lifts: 1, reports: 1, sessions: 1 })
    expect(await counts()).toEqual({ codes: 1, messages: 1, lifts: 1, reports: 1 })
    const left = await kit.db.read(tx =>
      tx.rows(
        sql<{
          no: string
        }>`select session_no as no from session where user_no = ${ann.userNo} and session_no like 'SE%'`,
      ),
    )
    expect(left).toEqual([{ no: 'SE89' }])
    // Letters of other kinds belong to the record that they are about.
    expect(await kit.db.read(tx => tx.maybe(sql`select 1 from message where message_no = 'MSGother'`))).toBeTruthy()
    expect(await run()).toMatchObject({ codes: 0, codeMessages: 0, lifts: 0, reports: 0, sessions: 0 })
    // Written past their machines.
    await kit.db.withTx(async tx => {
      await tx.exec(sql`delete from verify_code`)
      await tx.exec(sql`delete from message where template in ('code', 'welcome')`)
    })
  })

  it('removes messages that were read and are older than ninety days, and never an unread one', async () => {
    await allotted(ann, 'LO1')
    await allotted(ann, 'LO2', true)
    await age(89)
    await run()
    expect((await page(ann)).total).toBe(2)
    await age(91)
    await run()
    expect((await page(ann)).list.map(row => row.objectNo)).toEqual(['LO1'])
  })

  it('keeps as many days as the configuration says, and events for a day', async () => {
    await kit.db.withTx(async tx => {
      await tx.exec(
        sql`insert into business_config (config_key, config_value) values ('RETENTION', '{"messages": 10, "tracking": 5}')`,
      )
      await tx.exec(
        sql`insert into tracking_event (received_time, payload) values (${new Date(tx.now.getTime() - 6 * 86_400_000)}, '{}'), (${tx.now}, '{}')`,
      )
      await tx.exec(
        sql`insert into user_event (user_no, event, created_time) values ('x', 'message.new', now() - interval '25 hours')`,
      )
    })
    await allotted(ann, 'LO2', true)
    await age(11)
    const { tracking, events } = await run()
    expect({ tracking, events }).toEqual({ tracking: 1, events: 1 })
    expect((await page(ann)).total).toBe(0)
  })

  it('takes many rows in several transactions, and none that is not over', async () => {
    const old = (tx: Tx) => new Date(tx.now.getTime() - 200 * 86_400_000)
    await kit.db.withTx(tx =>
      tx.exec(
        sql`insert into tracking_event (received_time, payload) select ${old(tx)}, '{}' from generate_series(1, 5001)`,
      ),
    )
    expect((await run()).tracking).toBe(5_001)
    expect((await run()).tracking).toBe(0)
  })
})
