import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { openServerKit } from '../../../../tests/contract/server-kit.ts'
import { hashPassword } from '../../../session/password.ts'
import { asks } from '../../../testing/sign-in.ts'
import { reportSecret } from '../../../testing/vendors.ts'

const { signIn, smsReport } = contract
const password = 'Nile-Boat-47'

let kit: Awaited<ReturnType<typeof openServerKit>>
let hash: string
let username: string
let userNo: string
let people = 0

beforeAll(async () => {
  kit = await openServerKit()
  hash = await hashPassword(password)
  await policy(['O0'])
})
beforeEach(async () => {
  kit.clock.advance(2 * 3_600_000)
  ;({ userNo } = await kit.person({ perms: [] }))
  username = `login.${userNo}`
  const n = String(++people).padStart(6, '0')
  await kit.exec(sql`
    update app_user set password_hash = ${hash}, phone = ${`256772${n}`}, phone_verified = true, email = ${`u${n}@nile.example`}, email_verified = true
    where user_no = ${userNo}`)
})
afterAll(() => kit.close())

const policy = (codeFor: string[]) =>
  kit.exec(sql`
    insert into business_config (config_key, config_value) values ('SIGN_IN_POLICY', ${JSON.stringify({ codeFor })}::jsonb)
    on conflict (config_key) do update set config_value = excluded.config_value`)
/** Each person from an address of their own: the limit of addresses is another test's. */
const from = () => ({ from: `198.51.100.${people}` })
const known = () => asks(kit, { username, password }, from())
const send = (challengeId: string, channel: 'email' | 'phone' = 'phone') =>
  kit.call(signIn.sendCode, { challengeId, channel }, from())
const show = (challengeId: string, code: string) => kit.call(signIn.verifyCode, { challengeId, code }, from())
/** The code in what was handed to a vendor last. */
const arrived = async (where: 'texts' | 'mails' = 'texts'): Promise<string> => {
  await kit.worker.drain()
  const last = kit.outbox[where].at(-1)
  const words = last && ('content' in last ? last.content : last.body)
  return /\b(\d{6})\b/.exec(words ?? '')?.[1] ?? ''
}
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const codesOf = (challengeId: string) =>
  kit.rows(sql<{ codeStatus: string; tries: number; codeHash: string }>`
    select code_status, tries, code_hash from verify_code where challenge_id = ${challengeId} order by send_time, code_no`)

describe('the code after the password', () => {
  it('is asked for where the organization or one above it wants it, masked, and is followed by the authenticator', async () => {
    const { challengeId, data } = await known()
    expect(data).toMatchObject({
      nextStep: 'code',
      channels: [
        { channel: 'email', maskedTarget: 'u0***@…' },
        { channel: 'phone', maskedTarget: expect.stringMatching(/^25\*{8}\d\d$/) },
      ],
    })
    expect((await send(challengeId)).data).toMatchObject({ channel: 'phone', resendAfter: 60, minutes: 10 })
    const code = await arrived()
    expect(code).toMatch(/^\d{6}$/)
    expect((await show(challengeId, code)).data.nextStep).toBe('bind')
    expect((await show(challengeId, code)).code).toBe(40901)
    const [kept] = await codesOf(challengeId)
    expect(kept).toMatchObject({ codeStatus: 'used' })
    expect(kept?.codeHash).not.toContain(code)
  })

  it('is not asked for elsewhere', async () => {
    await policy(['O2'])
    expect((await known()).data.nextStep).toBe('bind')
    await policy(['O0'])
  })

  it('goes by e-mail too, in the language of the sign-in', async () => {
    const { challengeId } = await known()
    await kit.call(signIn.sendCode, { challengeId, channel: 'email' }, { ...from(), language: 'sw' })
    const code = await arrived('mails')
    expect(kit.outbox.mails.at(-1)).toMatchObject({ subject: 'Msimbo wako wa uthibitisho' })
    expect((await show(challengeId, code)).code).toBe(0)
  })

  it('goes only where the person has shown to be', async () => {
    await kit.exec(sql`update app_user set phone_verified = false, email_verified = false where user_no = ${userNo}`)
    const { challengeId, data } = await known()
    expect(data).toMatchObject({ nextStep: 'code', channels: [] })
    expect(await send(challengeId)).toMatchObject({
      code: 40001,
      msg: 'No verified e-mail or phone, ask your administrator',
    })
  })

  it('A10: is sent once a minute and five times an hour, however often a sign-in is begun', async () => {
    for (let n = 0; n < 5; n++) {
      expect((await send((await known()).challengeId)).code).toBe(0)
      expect(await send((await known()).challengeId)).toMatchObject({ code: 42901 })
      kit.clock.advance(61_000)
    }
    expect(await send((await known()).challengeId)).toMatchObject({ code: 42901 })
    kit.clock.advance(3_600_000)
    expect((await send((await known()).challengeId)).code).toBe(0)
  })

  it('A10: two who ask at the same moment get one', async () => {
    const [one, two] = [await known(), await known()]
    const answers = await Promise.all([one, two].map(({ challengeId }) => send(challengeId)))
    expect(answers.map(({ code }) => code).sort()).toEqual([0, 42901])
  })

  it('stops working when another one is sent', async () => {
    const { challengeId } = await known()
    await send(challengeId)
    const first = await arrived()
    kit.clock.advance(61_000)
    await send(challengeId)
    const second = await arrived()
    expect((await codesOf(challengeId)).map(one => one.codeStatus)).toEqual(['burned', 'sent'])
    if (first !== second) expect((await show(challengeId, first)).code).toBe(40001)
    expect((await show(challengeId, second)).code).toBe(0)
  })

  it('ends the sign-in after five wrong ones, which count as one failure of the name', async () => {
    const { challengeId } = await known()
    await send(challengeId)
    const wrong = other(await arrived())
    for (let left = 4; left > 0; left--)
      expect(await show(challengeId, wrong)).toMatchObject({ code: 40001, msg: expect.stringContaining(String(left)) })
    expect((await show(challengeId, wrong)).code).toBe(40901)
    expect((await codesOf(challengeId))[0]).toMatchObject({ codeStatus: 'burned', tries: 5 })
    const [throttle] = await kit.rows(sql<{ failures: number }>`
      select failures from login_throttle where login_id = ${username.toLowerCase()}`)
    expect(throttle?.failures).toBe(1)
  })

  it('is over after ten minutes, and its words are wiped', async () => {
    const { challengeId } = await known()
    await send(challengeId)
    const code = await arrived()
    kit.clock.advance(10 * 60_000)
    expect((await show(challengeId, code)).code).toBe(40001)
    await kit.tick('verifyCode.expire')
    expect((await codesOf(challengeId))[0]?.codeStatus).toBe('expired')
    expect(await kit.rows(sql`select 1 from message where sealed is not null and message_status <> 'queued'`)).toEqual(
      [],
    )
  })

  it('operation 6: is nowhere to be read once it was sent: not in rows, logs or answers', async () => {
    const { challengeId } = await known()
    const answer = await send(challengeId)
    const code = await arrived()
    const everything = await kit.rows(sql<{ text: string }>`
      select v::text as text from verify_code v where challenge_id = ${challengeId} union all select m::text from message m where object_no in
        (select code_no from verify_code where challenge_id = ${challengeId})
      union all select a::text from audit_log a where object_no = ${userNo} union all select payload::text from job where queue like 'message%'
      union all select t::text from state_transition t where machine in ('M09', 'M82') and object_no in
        (select message_no from message where user_no = ${userNo})`)
    const bare = everything.map(({ text }) => text.replace(/[A-Z]{2}\d{6}|\d{4}-\d\d-\d\d[ T][\d:.]+|256\d{9}/g, ''))
    expect(bare.filter(text => new RegExp(`(?<![\\d])${code}(?![\\d])`).test(text))).toEqual([])
    expect(JSON.stringify(answer)).not.toContain(code)
  })
})

describe('the way of a code', () => {
  const report = (accountNo: string, form: Record<string, string>, secret = reportSecret) =>
    kit.app.request(`/api/hc/web/callback/sms/${accountNo}/${secret}/report`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    })
  const messages = () =>
    kit.rows(sql<{
      messageStatus: string
      vendorName: string
      failReason: string | null
      deliverySeconds: number | null
      vendorRef: string
    }>`
      select message_status, vendor_name, fail_reason, delivery_seconds, vendor_ref from message where user_no = ${userNo} order by created_time, message_no`)

  it('is taken by the next vendor when the first one refuses', async () => {
    kit.outbox.answers.push({ is: 'refused', reason: 'balance' })
    await send((await known()).challengeId)
    await kit.worker.drain()
    expect(await messages()).toMatchObject([{ messageStatus: 'submitted', vendorName: 'Lake SMS' }])
  })

  it('ends where the number is at fault', async () => {
    kit.outbox.answers.push({ is: 'refused', reason: 'invalid_phone' })
    await send((await known()).challengeId)
    await kit.worker.drain()
    expect(await messages()).toMatchObject([{ messageStatus: 'failed', failReason: 'invalid_phone' }])
  })

  it('operation 6: goes once more, with the same code, by the other vendor when nothing is heard for 30 seconds', async () => {
    const { challengeId } = await known()
    await send(challengeId)
    const code = await arrived()
    kit.clock.advance(31_000)
    expect(await arrived()).toBe(code)
    expect(await messages()).toMatchObject([{ vendorName: 'Nile Text' }, { vendorName: 'Lake SMS' }])
    kit.clock.advance(31_000)
    await kit.worker.drain()
    expect(await messages()).toHaveLength(2)
    expect((await show(challengeId, code)).code).toBe(0)
  })

  it('is unknown without an answer, never failed, and delivered once the report of it comes', async () => {
    kit.outbox.answers.push({ is: 'unknown', reason: 'timeout' })
    await send((await known()).challengeId)
    await kit.worker.drain()
    expect(await messages()).toMatchObject([{ messageStatus: 'unknown', failReason: null }])
    const { phone } = await kit.one(sql<{ phone: string }>`select phone from app_user where user_no = ${userNo}`)
    kit.clock.advance(4_000)
    expect((await report('sms-1', { id: `AT${userNo}`, status: 'Success', phoneNumber: `+${phone}` })).status).toBe(200)
    await kit.worker.drain()
    expect(await messages()).toMatchObject([
      { messageStatus: 'delivered', deliverySeconds: 4, vendorRef: `AT${userNo}` },
    ])
  })

  it('knows its reports by the number of the vendor, in whichever order they come', async () => {
    await send((await known()).challengeId)
    await kit.worker.drain()
    const [{ vendorRef = '' } = {}] = await messages()
    for (const status of ['Success', 'Sent', 'Success']) await report('sms-1', { id: vendorRef, status })
    await kit.worker.drain()
    expect(await messages()).toMatchObject([{ messageStatus: 'delivered' }])
  })

  it('takes no report without the secret, and keeps one that it cannot read', async () => {
    expect(await (await report('sms-1', { id: 'X', status: 'Success' }, 'x'.repeat(34))).json()).toMatchObject({
      code: 40401,
    })
    expect(await (await report('sms-9', { id: 'X', status: 'Success' })).json()).toMatchObject({ code: 40401 })
    expect(await (await report('sms-1', { words: 'none' })).json()).toMatchObject({ code: 0 })
    const last = sql<{ outcome: string }>`select outcome from sms_report order by report_no desc limit 1`
    expect(await kit.db.read(tx => tx.one(last))).toEqual({ outcome: 'unreadable' })
    expect(await (await report('sms-1', { id: 'X', status: 'Nonsense' })).json()).toMatchObject({ code: 0 })
    expect(smsReport.receive.foreign?.form).toBe(true)
  })
})

it('A3: tells the owner of a name that was shut, and says nothing of names that nobody has', async () => {
  for (const name of [username, 'nobody.at.all'])
    for (let n = 0; n < 5; n++) await asks(kit, { username: name, password: 'wrong' }, from())
  const before = kit.outbox.mails.length
  await kit.worker.drain()
  const letters = kit.outbox.mails.slice(before)
  expect(letters.map(({ subject }) => subject)).toEqual(['Sign-in to your account is paused'])
})
