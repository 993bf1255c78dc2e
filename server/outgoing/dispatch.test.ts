import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openServerKit } from '../../tests/contract/server-kit.ts'
import type { NetworkHandler } from '../module.ts'
import { sealerOf } from '../session/seal.ts'
import { outgoing } from './dispatch.ts'
import { post, postToStaff } from './post.ts'

let kit: Awaited<ReturnType<typeof openServerKit>>
beforeAll(async () => {
  kit = await openServerKit()
})
beforeEach(() => {
  kit.outbox.answers.length = 0
})
afterAll(() => kit.close())

const mail = (template: 'passwordChanged' | 'code' = 'passwordChanged') =>
  kit.db.withTx(tx =>
    post(tx, {
      ...{ channel: 'email', to: 'grace@nile.example', template, language: 'en' },
      ...{ params: { time: '2026-03-02 10:00' }, objectType: 'user', objectNo: 'U1' },
    }),
  )
const rowOf = (no: string) =>
  kit.one(sql<{ messageStatus: string; tries: number; failReason: string | null }>`
    select message_status, tries, fail_reason from message where message_no = ${no}`)
const pass = async (seconds: number) => {
  kit.clock.advance(seconds * 1000)
  await kit.worker.drain()
}

it('hands a letter over once, after its cause was committed', async () => {
  const before = kit.outbox.mails.length
  const messageNo = await mail()
  await kit.db
    .withTx(async tx => {
      await post(tx, {
        ...{ channel: 'email', to: 'never@nile.example', template: 'passwordChanged', language: 'en' },
        ...{ objectType: 'user', objectNo: 'U1' },
      })
      throw new Error('its cause is rolled back')
    })
    .catch(() => undefined)
  await kit.worker.drain()
  await pass(3_600)
  expect(kit.outbox.mails.slice(before)).toMatchObject([
    {
      to: 'grace@nile.example',
      subject: 'Your password was changed',
      body: expect.stringContaining('2026-03-02 10:00'),
    },
  ])
  expect((await rowOf(messageNo)).messageStatus).toBe('submitted')
})

it('tries a server that is away again, ever later, and gives up in the end', async () => {
  kit.outbox.answers.push({ is: 'later', reason: 'ECONNREFUSED' }, { is: 'later', reason: 'ECONNREFUSED' })
  const messageNo = await mail()
  await kit.worker.drain()
  expect(await rowOf(messageNo)).toMatchObject({ messageStatus: 'queued', tries: 1 })
  await pass(6)
  expect(await rowOf(messageNo)).toMatchObject({ messageStatus: 'queued', tries: 2 })
  await pass(11)
  expect(await rowOf(messageNo)).toMatchObject({ messageStatus: 'submitted', tries: 3 })

  for (let n = 0; n < 6; n++) kit.outbox.answers.push({ is: 'later', reason: 'ECONNREFUSED' })
  const lost = await mail()
  for (let n = 0; n < 8; n++) await pass(600)
  expect(await rowOf(lost)).toMatchObject({ messageStatus: 'failed', tries: 6, failReason: 'mail_unreachable' })
})

it('says that the mail server refused, and sends that letter no more', async () => {
  kit.outbox.answers.push({ is: 'refused', reason: 'smtp 550' })
  const messageNo = await mail()
  await pass(3_600)
  expect(await rowOf(messageNo)).toMatchObject({ messageStatus: 'failed', tries: 1, failReason: 'mail_refused' })
})

it('holds unknown what a crash left half sent, and never sends it twice', async () => {
  const handler = outgoing(kit.outbox.vendors, sealerOf(kit.secretKey, 'message'), {}) as unknown as NetworkHandler
  const messageNo = await mail()
  const job = { jobKey: 'x', payload: { messageNo } }
  const prepared = await kit.db.withTx(tx => handler.before(tx, job))
  expect(prepared).not.toBeNull()
  const before = kit.outbox.mails.length
  await kit.worker.drain()
  expect(kit.outbox.mails).toHaveLength(before)
  expect((await rowOf(messageNo)).messageStatus).toBe('unknown')
  kit.clock.advance(48 * 3_600_000)
  await kit.tick('message.report')
  expect((await rowOf(messageNo)).messageStatus).toBe('no_report')
})

it('does not send what has lost its reason', async () => {
  const messageNo = await mail('code')
  const before = kit.outbox.mails.length
  await kit.worker.drain()
  expect(kit.outbox.mails).toHaveLength(before)
  expect((await rowOf(messageNo)).messageStatus).toBe('blocked')
})

it('tells staff in their own language, over a channel that is known to be theirs', async () => {
  const { userNo } = await kit.person({ perms: [] })
  const letters = async () => {
    const before = kit.outbox.mails.length + kit.outbox.texts.length
    await kit.db.withTx(tx => postToStaff(tx, userNo, 'mfaReset', { name: 'Grace' }))
    await kit.worker.drain()
    return kit.outbox.mails.length + kit.outbox.texts.length - before
  }
  await kit.exec(sql`
    update app_user set email = 'x@nile.example', phone = '256772999931', language = 'zh' where user_no = ${userNo}`)
  expect(await letters()).toBe(0)
  await kit.exec(sql`update app_user set phone_verified = true where user_no = ${userNo}`)
  expect(await letters()).toBe(1)
  expect(kit.outbox.texts.at(-1)?.content).toContain('Grace重置了您的动态验证器')
  await kit.exec(sql`update app_user set email_verified = true where user_no = ${userNo}`)
  expect(await letters()).toBe(1)
  expect(kit.outbox.mails.at(-1)).toMatchObject({ to: 'x@nile.example', subject: '您的动态验证器已重置' })
})
