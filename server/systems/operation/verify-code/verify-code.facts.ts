import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { hashPassword } from '../../../session/password.ts'
import { at, copied, maybe, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, type MerchantNo, way } from '../../../testing/facts.ts'
import { asks, shownBy } from '../../../testing/sign-in.ts'
import { reportSecret } from '../../../testing/vendors.ts'
import { type Asked, codesOf, type VerifyCode } from './code.ts'

const { businessConfig, signIn, smsReport, verifyCode } = contract
const password = 'Nile-Boat-47'
const apps = { M1: 'BodaCash', M2: 'MarketLoan', M3: 'Shamba' } as const
let made = 0

/** A phone that no code was sent to. */
const phone = () => `25677${String(3_000_000 + ++made * 10 + 1)}`

/** A code that a customer asked for, or somebody of the staff. */
const sent = async (fixture: Fixture, more: Partial<Asked> = {}): Promise<VerifyCode> => {
  const asked: Asked = {
    ...{ scene: 'login', channel: 'phone', to: phone(), challengeId: null, userNo: null, language: 'en', ip: null },
    ...more,
  }
  const actor = { no: 'anon', name: 'anon', requestId: 'facts', ip: null }
  const row = await fixture.db.withTx(tx => codesOf(fixture.secretKey).send(tx, asked, actor))
  if (row instanceof Error) throw row
  return row
}
const ofMerchant = (fixture: Fixture, merchantNo: MerchantNo) =>
  sent(fixture, { merchantNo, appCode: apps[merchantNo] })

const policy = (fixture: Fixture, codeFor: string[]) =>
  fixture.exec(sql`
    insert into business_config (config_key, config_value) values ('SIGN_IN_POLICY', ${JSON.stringify({ codeFor })}::jsonb)
    on conflict (config_key) do update set config_value = excluded.config_value`)

/** Somebody whose password was right and who is asked for a code. */
const asked = async (fixture: Fixture, slideWanted = false) => {
  const person = await fixture.reviewer()
  const hash = await hashPassword(password)
  await fixture.exec(sql`
    update app_user set password_hash = ${hash}, phone = ${phone()}, phone_verified = true where user_no = ${person.userNo}`)
  await policy(fixture, ['O0'])
  const username = `login.${person.userNo}`
  if (slideWanted) for (let n = 0; n < 2; n++) await asks(fixture, { username, password: 'another' })
  const { challengeId } = await asks(fixture, { username, password })
  await policy(fixture, [])
  return { challengeId, person }
}
const send = async (fixture: Fixture, challengeId: string) =>
  fixture.must(await fixture.call(signIn.sendCode, { challengeId, channel: 'phone' }))
/** The code as the phone shows it. */
const arrived = async (fixture: Fixture): Promise<string> => {
  await fixture.worker.drain()
  return /\b(\d{6})\b/.exec(fixture.outbox.texts.at(-1)?.content ?? '')?.[1] ?? ''
}
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const show = (fixture: Fixture, challengeId: string, code: string) =>
  fixture.call(signIn.verifyCode, { challengeId, code })

const throughCodes = async (fixture: Fixture): Promise<void> => {
  const first = await asked(fixture)
  await send(fixture, first.challengeId)
  await fixture.pass(2)
  await send(fixture, first.challengeId)
  const code = await arrived(fixture)
  await show(fixture, first.challengeId, wrong(code))
  fixture.must(await show(fixture, first.challengeId, code))
  const { secretText } = fixture.must(await fixture.call(signIn.mfaQr, { challengeId: first.challengeId }))
  const bound = { challengeId: first.challengeId, code: shownBy(fixture, secretText) }
  fixture.must(await fixture.call(signIn.bindMfa, bound))
  await fixture.pass(2)
  await policy(fixture, ['O0'])
  const again = await asks(fixture, { username: `login.${first.person.userNo}`, password })
  await policy(fixture, [])
  await send(fixture, again.challengeId)
  fixture.must(await show(fixture, again.challengeId, await arrived(fixture)))
  const burned = await asked(fixture, true)
  await send(fixture, burned.challengeId)
  const other = wrong(await arrived(fixture))
  for (let n = 0; n < 5; n++) await show(fixture, burned.challengeId, other)
  const left = await asked(fixture)
  await send(fixture, left.challengeId)
  await fixture.pass(11)
  await fixture.tick('signIn.expire')
  await fixture.tick('verifyCode.expire')
  await fixture.worker.drain()
}

/** What became of a text, as its vendor says. */
const reported = async (
  fixture: Fixture,
  form: { id: string; status: string; [more: string]: string },
): Promise<void> => {
  const input = { accountNo: 'sms-1' as const, secret: reportSecret, ...form }
  fixture.must(await fixture.call(smsReport.receive, input))
  await fixture.worker.drain()
}
const messageOf = async (fixture: Fixture, { codeNo }: VerifyCode) =>
  fixture.one(sql<{ vendorRef: string; recipient: string }>`
    select vendor_ref, recipient from message where object_no = ${codeNo} order by created_time limit 1`)

const throughVendors = async (fixture: Fixture): Promise<void> => {
  const { answers } = fixture.outbox
  const handed = async (...given: typeof answers) => {
    answers.push(...given)
    const row = await sent(fixture)
    await fixture.worker.drain()
    return { row, ...(await messageOf(fixture, row)) }
  }
  await handed({ is: 'refused', reason: 'balance' }, { is: 'refused', reason: 'vendor_error' })
  const unknown = await handed({ is: 'unknown', reason: 'timeout' })
  await reported(fixture, { id: 'LATE1', status: 'Sent', phoneNumber: `+${unknown.recipient}` })
  const failed = await handed()
  const ref = { id: failed.vendorRef }
  await reported(fixture, { ...ref, status: 'Sent' })
  await reported(fixture, { ...ref, status: 'Failed', failureReason: 'UserIsInactive' })
  await reported(fixture, { ...ref, status: 'Failed' })
  await reported(fixture, { ...ref, status: 'Success' })
  await reported(fixture, { ...ref, status: 'Success' })
  const [silent, later, lost] = [await handed(), await handed(), await handed()]
  const fresh = await handed()
  await reported(fixture, { id: fresh.vendorRef, status: 'Success' })
  await handed({ is: 'unknown', reason: 'timeout' })
  await fixture.pass(48 * 60)
  await fixture.tick('verifyCode.expire')
  await fixture.tick('message.report')
  await reported(fixture, { id: silent.vendorRef, status: 'Sent' })
  await reported(fixture, { id: later.vendorRef, status: 'Success' })
  await reported(fixture, { id: lost.vendorRef, status: 'Failed' })
  await sent(fixture)
  await fixture.pass(11)
  await fixture.worker.drain()
}

const limits = async (fixture: Fixture): Promise<string> => {
  const configKey = 'VERIFY_CODE_LIMITS' as const
  const held = fixture.must(await fixture.call(businessConfig.get, { configKey }, { as: fixture.boss }))
  const value = { secondsBetween: 60, perHour: 6, perIpHour: 20, dailyBudget: '500000.00' }
  const input = { configKey, version: held.version, value }
  return fixture.must(await fixture.call(businessConfig.update, input, { as: fixture.boss })).approvalNo
}

const noEnquiry = 'no vendor is asked what became of a text: its report says so'
const noCampaign = 'only campaigns are stopped or refused before they are sent, and sent again'

export default facts({
  machines: {
    verificationCode: {
      row: {
        ...{
          codeNo: 'VC1',
          scene: 'login',
          channelType: 'sms',
          phone: '256772000031',
          codeHash: 'hash',
          language: 'en',
        },
        ...{ sendTime: '2026-03-02T07:00:00Z', expiresTime: '2026-03-02T07:10:00Z' },
      },
    },
    message: {
      row: {
        ...{ messageNo: 'MS1', channelType: 'sms', template: 'code', language: 'en', recipient: '256772000031' },
        ...{ objectType: 'verifyCode', objectNo: 'VC1', createdTime: '2026-03-02T07:00:00Z' },
      },
      undriven: {
        [noEnquiry]: [
          'unknown msg.resolve failed',
          'unknown msg.resolve queued',
          'unknown msg.report delivered',
          'unknown msg.report failed',
          'unknown msg.report unknown',
        ],
        [noCampaign]: ['∅ msg.queue blocked', 'queued msg.cancel blocked', 'no_report msg.resend no_report'],
      },
    },
  },
  commands: [
    {
      call: verifyCode.resend,
      make: async fixture => {
        const { challengeId } = await asked(fixture)
        await send(fixture, challengeId)
        await fixture.worker.drain()
        const { codeNo } = await fixture.one(sql<{ codeNo: string }>`
          select code_no from verify_code where challenge_id = ${challengeId} and code_status = 'sent'`)
        return { no: codeNo, input: { codeNo } }
      },
    },
  ],
  ways: [
    way('staff show a code after their password', throughCodes),
    way('vendors take texts, refuse them, say nothing and report', throughVendors),
  ],
  approvals: [{ action: 'businessConfig.VERIFY_CODE_LIMITS', ask: limits }],
  lists: [
    {
      list: verifyCode.page,
      key: 'codeNo',
      ownedBy: 'codeNo',
      fill: async fixture => {
        const one = await ofMerchant(fixture, 'M1')
        await fixture.worker.drain()
        const text = `jsonb_build_object(${prefixed('message_no')}, 'vendor_ref', null, ${maybe('delivery_seconds', 'n % 9')}, 'message_status', (array['submitted', 'delivered', 'failed'])[1 + n % 3], 'vendor_name', (array['Nile Text', 'Lake SMS'])[1 + n % 2])`
        await copied(fixture, 'message', `message_no = '${one.messageNo}'`, text)
        const row = `jsonb_build_object(${prefixed('code_no', 'message_no')}, ${at('send_time')}, 'scene', (array['login', 'register', 'withdraw'])[1 + n % 3], 'code_status', (array['used', 'expired', 'burned'])[1 + n % 3], 'phone', '25677300' || (1000 + n), 'network', (array['mtn', 'airtel'])[1 + n % 2])`
        await copied(fixture, 'verify_code', `code_no = '${one.codeNo}'`, row)
      },
      holds: { key: 'codeNo', query: sql`select code_no, phone from verify_code` },
    },
  ],
  records: [
    {
      fields: ['codeNo'],
      table: 'verify_code',
      key: 'code_no',
      make: async (fixture, merchantNo) => (await ofMerchant(fixture, merchantNo)).codeNo,
      owners: sql`select code_no as no, merchant_no, array_remove(array[user_no], null) as holders from verify_code`,
    },
  ],
  calls: [
    { call: verifyCode.health, about: 'counts texts, and names none' },
    {
      call: verifyCode.resend,
      otherPerm: 'staff send another code under a code of their own; the old one is ended as by any newer one',
    },
  ],
})
