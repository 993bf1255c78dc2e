import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { openServerKit } from '../../../../tests/contract/server-kit.ts'
import { Fault } from '../../../http/fault.ts'
import { hashPassword } from '../../../session/password.ts'
import { asks } from '../../../testing/sign-in.ts'
import { type Asked, codesOf, type VerifyCode } from './code.ts'

const { businessConfig, common, signIn, verifyCode } = contract
const configKey = 'VERIFY_CODE_LIMITS' as const
const password = 'Nile-Boat-47'

let kit: Awaited<ReturnType<typeof openServerKit>>
let phones = 0
const phone = () => `25677${String(7_000_001 + ++phones * 10)}`
beforeAll(async () => {
  kit = await openServerKit()
})
beforeEach(() => kit.pass(3 * 60))
afterAll(() => kit.close())

const actor = { no: 'anon', name: 'anon', requestId: 'test', ip: null }
const ask = (more: Partial<Asked> = {}) => {
  const asked: Asked = {
    ...{ scene: 'login', channel: 'phone', to: phone(), challengeId: null, userNo: null, merchantNo: 'M1' },
    ...{ appCode: 'BodaCash', language: 'en', ip: null },
    ...more,
  }
  return kit.db.withTx(tx => codesOf(kit.secretKey).send(tx, asked, actor))
}
const sent = async (more: Partial<Asked> = {}): Promise<VerifyCode> => {
  const row = await ask(more)
  if (row instanceof Fault) throw row
  await kit.worker.drain()
  return row
}
/** A phone that was sent as many codes as its hour allows. */
const full = async () => {
  const to = phone()
  let last: VerifyCode | undefined
  for (let n = 0; n < 5; n++) {
    last = await sent({ to })
    kit.clock.advance(61_000)
  }
  return { to, codeNo: last?.codeNo ?? '' }
}
const list = async (filters: object, as = kit.boss) =>
  kit.must(await kit.call(verifyCode.page, { pageNum: 1, pageSize: 10, ...filters }, { as })).list
const lines = (kind: string) =>
  kit.rows(
    sql<{
      objectNo: string
    }>`select object_no from access_log where access_kind = ${kind} and object_type = 'verifyCode'`,
  )

describe('the list', () => {
  it('shows the way of each code, its phone masked, and the code to nobody', async () => {
    const { codeNo, phone: to } = await sent()
    const code = /\b(\d{6})\b/.exec(kit.outbox.texts.at(-1)?.content ?? '')?.[1] ?? ''
    const [row] = await list({ phone: to })
    expect(row).toMatchObject({
      ...{ codeNo, phone: `25********${to?.slice(-2)}`, scene: 'login', appCode: 'BodaCash', network: 'mtn' },
      ...{ vendorName: 'Nile Text', senderId: 'NILE', codeStatus: 'sent', messageStatus: 'submitted' },
      ...{ nextVendor: 'Lake SMS', tries: 0, failReason: null },
    })
    const detail = kit.must(await kit.call(verifyCode.attempts, { codeNo }, { as: kit.boss }))
    expect(detail.list[0]?.steps.map(one => one.toState)).toEqual(['queued', 'submitted'])
    for (const answer of [row, detail]) expect(JSON.stringify(answer)).not.toContain(`"${code}"`)
  })

  it('writes down who looked for a phone, and who had one shown', async () => {
    const { codeNo, phone: to } = await sent()
    await list({ phone: to })
    expect((await lines('search')).map(({ objectNo }) => objectNo)).toContain(`25********${to?.slice(-2)}`)
    const input = { kind: 'phone', objectType: 'verifyCode', objectNo: codeNo, field: 'phone' } as const
    expect((await kit.call(common.reveal, input, { as: kit.boss })).data).toBe(to)
    expect(await lines('reveal')).toContainEqual({ objectNo: codeNo })
    const plain = await kit.person({ perms: ['operation:verifyCode:page'] })
    expect((await kit.call(common.reveal, input, { as: plain })).code).toBe(40301)
  })

  it('shows codes of the own merchants, and those of staff to who sees all', async () => {
    const [one, two, staff] = [await sent(), await sent({ merchantNo: 'M2' }), await sent({ merchantNo: null })]
    const of = await kit.person({ perms: ['operation:verifyCode:page'], limit: 'own_merchants', merchants: ['M1'] })
    const seen = async (who: typeof of) => (await list({}, who)).map(row => row.codeNo)
    expect(await seen(of)).toContain(one.codeNo)
    for (const { codeNo } of [two, staff]) {
      expect(await seen(of)).not.toContain(codeNo)
      expect((await kit.call(verifyCode.attempts, { codeNo }, { as: of })).code).toBe(40401)
    }
    expect(await seen(kit.boss)).toEqual(expect.arrayContaining([one.codeNo, two.codeNo, staff.codeNo]))
  })

  it('counts what arrives, by vendor and network', async () => {
    const before = kit.must(await kit.call(verifyCode.health, { hours: 1 }, { as: kit.boss })).list
    expect(before).toEqual([])
    const rows = [await sent(), await sent(), await sent(), await sent({ to: '256701234561' })]
    const end = (codeNo: string | undefined, status: string, seconds: number | null) =>
      kit.exec(sql`
        update message set message_status = case when set_config('app.transition', 'on', true) = 'on' then ${status} end, delivery_seconds = ${seconds}
        where object_no = ${codeNo}`)
    await end(rows[0]?.codeNo, 'delivered', 4)
    await end(rows[1]?.codeNo, 'delivered', 8)
    await end(rows[2]?.codeNo, 'failed', null)
    expect(kit.must(await kit.call(verifyCode.health, { hours: 1 }, { as: kit.boss })).list).toEqual([
      {
        ...{ vendorName: 'Nile Text', network: 'airtel', sent: 1, delivered: 0 },
        deliveredRate: null,
        medianSeconds: null,
      },
      { ...{ vendorName: 'Nile Text', network: 'mtn', sent: 3, delivered: 2 }, deliveredRate: 66.7, medianSeconds: 6 },
    ])
    for (const { codeNo } of rows) await end(codeNo, 'submitted', null)
  })
})

describe('a phone at its limit', () => {
  it('is sent more for an hour once somebody lifts it, once a day, with a reason', async () => {
    const { to, codeNo } = await full()
    expect(await ask({ to })).toMatchObject({ key: 'errors.tooManyAttempts' })
    const [row] = await list({ phone: to })
    expect(row?.blockedBy['verifyCode.unlock']).toBeUndefined()
    expect((await kit.call(verifyCode.unlock, { codeNo, reason: '  ' }, { as: kit.boss })).code).toBe(40001)
    const reason = 'Shop in Gulu, bad network'
    const { liftedUntil } = kit.must(await kit.call(verifyCode.unlock, { codeNo, reason }, { as: kit.boss }))
    expect(Date.parse(liftedUntil)).toBe(kit.clock.now().getTime() + 3_600_000)
    await sent({ to })
    expect(await kit.call(verifyCode.unlock, { codeNo, reason }, { as: kit.boss })).toMatchObject({
      code: 40901,
      msg: 'The limit of this phone was lifted today already',
    })
    const [audit] = await kit.rows(sql<{ after: object }>`
      select after from audit_log where action = 'verifyCode.unlock' and object_no = ${codeNo}`)
    expect(audit?.after).toMatchObject({ reason, phone: `25********${to.slice(-2)}` })
  })

  it('is not lifted below its limit, and the row says so before', async () => {
    const { codeNo, phone: to } = await sent()
    const [row] = await list({ phone: to })
    expect(row?.blockedBy['verifyCode.unlock']).toEqual({ reason: 'errors.notAtLimit', params: { n: 5 } })
    expect((await kit.call(verifyCode.unlock, { codeNo, reason: 'x' }, { as: kit.boss })).code).toBe(40901)
  })
})

describe('a code that is sent again', () => {
  const signing = async () => {
    const { userNo } = await kit.person({ perms: [] })
    const hash = await hashPassword(password)
    const to = phone()
    await kit.exec(
      sql`update app_user set password_hash = ${hash}, phone = ${to}, phone_verified = true where user_no = ${userNo}`,
    )
    const policy = (codeFor: string[]) =>
      kit.exec(sql`
        insert into business_config (config_key, config_value) values ('SIGN_IN_POLICY', ${JSON.stringify({ codeFor })}::jsonb)
        on conflict (config_key) do update set config_value = excluded.config_value`)
    await policy(['O0'])
    const { challengeId } = await asks(kit, { username: `login.${userNo}`, password })
    await policy([])
    kit.must(await kit.call(signIn.sendCode, { challengeId, channel: 'phone' }))
    await kit.worker.drain()
    return { challengeId, to }
  }
  const shown = () => /\b(\d{6})\b/.exec(kit.outbox.texts.at(-1)?.content ?? '')?.[1] ?? ''

  it('goes by the other vendor as a new code; the old one stops working', async () => {
    const { challengeId, to } = await signing()
    const old = shown()
    const [row] = await list({ phone: to })
    const answer = kit.must(await kit.call(verifyCode.resend, { codeNo: row?.codeNo ?? '' }, { as: kit.boss }))
    expect(answer.vendorName).toBe('Lake SMS')
    await kit.worker.drain()
    const fresh = shown()
    expect(kit.outbox.texts.at(-1)?.accountNo).toBe('sms-2')
    if (old !== fresh) expect((await kit.call(signIn.verifyCode, { challengeId, code: old })).code).toBe(40001)
    expect((await kit.call(signIn.verifyCode, { challengeId, code: fresh })).code).toBe(0)
    const states = (await list({ phone: to })).map(one => [one.codeNo === row?.codeNo ? 'old' : 'new', one.codeStatus])
    expect(Object.fromEntries(states)).toEqual({ old: 'burned', new: 'used' })
  })

  it('is refused once the sign-in is over, and to who may not', async () => {
    const { codeNo } = await sent()
    expect(await kit.call(verifyCode.resend, { codeNo }, { as: kit.boss })).toMatchObject({
      code: 40901,
      msg: 'The sign-in that asked for it is over',
    })
    const reader = await kit.person({ perms: ['operation:verifyCode:page'] })
    expect((await kit.call(verifyCode.resend, { codeNo }, { as: reader })).code).toBe(40301)
  })
})

describe('the limits', () => {
  const change = async (value: object, as = kit.boss) => {
    const { version } = kit.must(await kit.call(businessConfig.get, { configKey }, { as }))
    return kit.call(businessConfig.update, { configKey, version, value } as never, { as })
  }
  const limits = { secondsBetween: 60, perHour: 5, perIpHour: 20, dailyBudget: '500000.00' }

  it('are those of the program until two people set others', async () => {
    expect(kit.must(await kit.call(businessConfig.get, { configKey }, { as: kit.boss })).value).toEqual(limits)
    const { approvalNo } = kit.must(await change({ ...limits, perHour: 2 }))
    expect(await change({ ...limits, perHour: 3 })).toMatchObject({ code: 40901 })
    expect((await kit.call(common.approve, { approvalNo, version: 0 }, { as: kit.boss })).code).toBe(40301)
    kit.must(await kit.call(common.approve, { approvalNo, version: 0 }, { as: kit.second }))
    const to = phone()
    for (let n = 0; n < 2; n++) {
      await sent({ to })
      kit.clock.advance(61_000)
    }
    expect(await ask({ to })).toMatchObject({ key: 'errors.tooManyAttempts' })
    const back = kit.must(await change(limits))
    kit.must(await kit.call(common.approve, { approvalNo: back.approvalNo, version: 0 }, { as: kit.second }))
  })

  it.each([
    ['less than a minute between two codes', { secondsBetween: 59 }, 'secondsBetween'],
    ['more than ten an hour', { perHour: 11 }, 'perHour'],
    ['none an hour', { perHour: 0 }, 'perHour'],
    ['a budget below nothing', { dailyBudget: '-1.00' }, 'dailyBudget'],
  ])('are not %s', async (_, more, field) => {
    const { code, data } = await change({ ...limits, ...more })
    expect(code).toBe(40001)
    expect(JSON.stringify(data)).toContain(field)
  })

  it('are seen and changed by who may alone', async () => {
    const reader = await kit.person({ perms: ['operation:verifyCode:page'] })
    expect((await kit.call(businessConfig.get, { configKey }, { as: reader })).code).toBe(0)
    expect((await change({ ...limits, perHour: 4 }, reader)).code).toBe(40301)
    const other = await kit.person({ perms: ['merchant:maturity:page'] })
    expect((await kit.call(businessConfig.get, { configKey }, { as: other })).code).toBe(40301)
  })

  it('hold an address to its codes an hour, whatever the phones', async () => {
    for (let n = 0; n < 20; n++) await sent({ ip: '203.0.113.77' })
    expect(await ask({ ip: '203.0.113.77' })).toMatchObject({ key: 'errors.tooManyAttempts' })
    expect(await ask({ ip: '203.0.113.78' })).not.toBeInstanceOf(Fault)
  })

  it('A10: let registrations wait once the budget of the day is used up, sign-ins go on, and inform who sets it', async () => {
    await kit.exec(
      sql`update message set cost = 400000 where message_no = (select message_no from message where object_type = 'verifyCode' order by created_time desc limit 1)`,
    )
    await kit.tick('verifyCode.budget')
    await kit.tick('verifyCode.budget')
    const informed = await kit.rows(sql<object>`
      select template from staff_message where user_no = ${kit.boss.userNo} and object_type = 'codeBudget'`)
    expect(informed).toEqual([{ template: 'codeBudget' }])
    expect(await ask({ scene: 'register' })).not.toBeInstanceOf(Fault)
    await kit.exec(sql`update message set cost = 500000 where cost = 400000`)
    expect(await ask({ scene: 'register' })).toMatchObject({ key: 'errors.codeBudget' })
    expect(await ask({ scene: 'login' })).not.toBeInstanceOf(Fault)
  })
})
