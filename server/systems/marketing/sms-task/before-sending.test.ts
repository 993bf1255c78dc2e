import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { type Fixture, openFixture } from '../../../../tests/contract/fixture.ts'
import { post } from '../../../outgoing/post.ts'
import { system } from '../../../rights/actor.ts'
import { done } from '../../../testing/acts.ts'
import { putBlock } from '../../merchant/contact-block/index.ts'
import { moveTo, textOf } from '../unrenewed/unrenewed.facts.ts'
import { task } from './sms-task.facts.ts'

const { smsTasks } = contract

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
beforeEach(() => {
  fixture.outbox.answers.length = 0
})
afterAll(() => fixture.close())

let phones = 0
/** A colleague whose phone is known to be theirs. */
const colleague = async (language: string | null = null) => {
  const { userNo } = await fixture.reviewer()
  const phone = `2567729${String(++phones).padStart(5, '0')}`
  await fixture.exec(
    sql`update app_user set phone = ${phone}, phone_verified = true, language = ${language} where user_no = ${userNo}`,
  )
  return { userNo, phone }
}
const about = async (colleagueNos: readonly string[]) => ({
  ...{ merchantNo: 'M1', templateNo: await textOf(fixture, 'M1'), languageMode: 'customer', colleagueNos },
})
const ask = (input: object) => fixture.ask(smsTasks.test, input as never, { as: fixture.boss })
const rowOf = (no: string) => fixture.one(sql<Record<string, unknown>>`select * from sms_task where task_no = ${no}`)
const shownOf = async (taskNo: string) =>
  ((await done(fixture, smsTasks.detail, { taskNo })) as { task: Record<string, unknown> }).task

describe('a test to colleagues', () => {
  it('goes by the route of offers, marked, in their languages, and shows its cost', async () => {
    await moveTo(fixture, 1, 10)
    const [one, other] = [await colleague(), await colleague('sw')]
    const input = await about([one.userNo, other.userNo])
    const sent = await done(fixture, smsTasks.test, input as never)
    await fixture.worker.drain()
    const texts = fixture.outbox.texts.slice(-2)
    expect(texts.map(({ phone }) => phone).sort()).toEqual([one.phone, other.phone].sort())
    const said = Object.fromEntries(texts.map(({ phone, content }) => [phone, content]))
    expect(said[one.phone]).toMatch(/^\[TEST\] Dear Sarah, .* STOP to opt out$/)
    expect(said[other.phone]).toMatch(/^\[JARIBIO\] Mpendwa .* ACHA kusitisha$/)
    expect(sent.costEstimate).toMatch(/^\d+\.00$/)
    const { list } = (await done(fixture, smsTasks.tested, { templateNo: input.templateNo })) as {
      list: Record<string, unknown>[]
    }
    expect(list).toHaveLength(2)
    for (const row of list) expect(row).toMatchObject({ messageStatus: 'submitted', segments: 1, messageCost: '35.00' })
    const purposes = await fixture.rows(sql<{ kind: string }>`
      select contact_kind as kind from message where object_type = 'smsTaskTest'`)
    expect(purposes).toEqual([{ kind: 'marketing' }, { kind: 'marketing' }])
  })

  it('stands in no figure of a task', async () => {
    await moveTo(fixture, 1, 9)
    const { userNo } = await colleague()
    const taskNo = await task(fixture)
    const { templateNo } = (await rowOf(taskNo)) as { templateNo: string }
    await done(fixture, smsTasks.test, { ...(await about([userNo])), templateNo } as never)
    await moveTo(fixture, 1, 10)
    for (let n = 0; n < 3; n++) {
      await fixture.tick('marketing.send')
      await fixture.worker.drain()
    }
    expect(await rowOf(taskNo)).toMatchObject({
      smsTaskStatus: 'done',
      acceptedCount: 1,
      recipientCount: 1,
      segmentsTotal: 1,
    })
  })

  it('is refused at night, to strangers, and to who has no phone or wants no offers', async () => {
    await moveTo(fixture, 1, 10)
    const [one, silent, mute] = [await colleague(), await colleague(), await fixture.reviewer()]
    const input = await about([one.userNo])
    expect((await ask({ ...input, colleagueNos: ['U-none'] })).code).toBe(40001)
    expect((await ask({ ...input, colleagueNos: [mute.userNo] })).code).toBe(40001)
    await fixture.db.withTx(async tx => {
      const wish = { blockScope: 'marketing', blockSource: 'sms_stop', blockReason: 'asked_to_stop' } as const
      await putBlock(tx, { book: 'contact', phone: silent.phone, ...wish }, 'system', system('test'))
    })
    expect((await ask({ ...input, colleagueNos: [silent.userNo] })).code).toBe(40001)
    expect((await ask({ ...input, colleagueNos: [one.userNo, silent.userNo, mute.userNo, 'U9'] })).code).toBe(40001)
    expect((await ask({ ...input, languageMode: 'fixed' })).code).toBe(40001)
    await moveTo(fixture, 0, 21)
    expect((await ask(input)).code).toBe(40901)
  })

  it('is not sent without end', async () => {
    await moveTo(fixture, 2, 10)
    const { userNo } = await colleague()
    const input = await about([userNo])
    const codes: number[] = []
    for (let n = 0; n < 11; n++) codes.push((await ask(input)).code)
    expect(codes.filter(code => code === 0)).toHaveLength(10)
    expect(codes.at(-1)).toBe(41001)
  })
})

describe('marketing 14: the money of the vendors', () => {
  const account = (balance: string | null) =>
    fixture.exec(sql`update message_account set balance = ${balance}, low_balance = 50000 where channel_type = 'sms'`)
  const send = async () => {
    await fixture.tick('marketing.send')
    await fixture.worker.drain()
  }

  it('keeps tasks waiting, which say why, while other texts go', async () => {
    await fixture.tick('messageAccount.register')
    const taskNo = await task(fixture)
    await moveTo(fixture, 1, 10)
    await account('100.00')
    await send()
    expect(await shownOf(taskNo)).toMatchObject({ smsTaskStatus: 'sending', waitingReason: 'balance', textsTaken: 0 })
    const code = await fixture.db.withTx(tx =>
      post(tx, {
        ...{ channel: 'sms', to: '256772000031', template: 'passwordChanged', language: 'en' },
        ...{ params: { time: '10:00' }, objectType: 'user', objectNo: 'U1' },
      }),
    )
    fixture.outbox.answers.push({ is: 'refused', reason: 'balance' })
    await fixture.worker.drain()
    const [went] = await fixture.rows(sql<{ status: string; account: string }>`
      select message_status as status, account_no as account from message where message_no = ${code}`)
    expect(went).toEqual({ status: 'submitted', account: 'sms-2' })
    await account('90000.00')
    expect(await shownOf(taskNo)).toMatchObject({ waitingReason: null })
    await send()
    await send()
    expect(await shownOf(taskNo)).toMatchObject({ smsTaskStatus: 'done', textsTaken: 1 })
  })

  it('that ends while a task is sent holds its texts back, and loses none', async () => {
    await account(null)
    const taskNo = await task(fixture)
    await moveTo(fixture, 1, 10)
    fixture.outbox.answers.push({ is: 'refused', reason: 'balance' }, { is: 'refused', reason: 'balance' })
    await send()
    await send()
    expect(await shownOf(taskNo)).toMatchObject({ smsTaskStatus: 'sending', waitingReason: 'balance', textsTaken: 0 })
    await fixture.pass(6)
    await send()
    await send()
    expect(await shownOf(taskNo)).toMatchObject({ smsTaskStatus: 'done', textsTaken: 1, failedCount: 0 })
  })

  it('is asked for by itself', async () => {
    const [{ vendor } = { vendor: undefined }] = fixture.outbox.vendors.sms
    Object.assign(vendor ?? {}, { balance: async () => '123456.00' })
    await fixture.tick('messageAccount.probe')
    await fixture.worker.drain()
    const rows = await fixture.rows(sql<{ balance: string | null }>`
      select balance from message_account where channel_type = 'sms' order by account_no`)
    expect(rows.map(({ balance }) => balance)).toEqual(['123456.00', null])
  })
})
