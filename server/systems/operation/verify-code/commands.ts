import { sql } from 'kysely'
import { verifyCode } from '../../../../core/contract/operation/verify-code.ts'
import type { CodeChannel } from '../../../../core/contract/user/sign-in.ts'
import type { Language } from '../../../../core/i18n/language.ts'
import { mask } from '../../../../core/rules/mask.ts'
import { Fault } from '../../../http/fault.ts'
import { type Served, serve } from '../../../http/serve.ts'
import type { Vendors } from '../../../outgoing/vendors.ts'
import { codeBlocks } from './blocks.ts'
import type { Codes, Scene } from './code.ts'
import { lockCode } from './source.ts'

const about = (codeNo: string) => ({ objectType: 'verifyCode', objectNo: codeNo })
/** So long a phone may be sent more than its hour allows. */
const liftMs = 3_600_000

/** What second-line service does for somebody who gets no code. */
export const commandsServed = (codes: Codes, vendors: Vendors): Served[] => {
  const blocked = codeBlocks(vendors)

  const resend = serve(verifyCode.resend, async call => {
    const { tx, session, input, actor, audit } = call
    const row = await lockCode(tx, session, input.codeNo)
    const { next } = await blocked.check(call, verifyCode.resend, row.codeNo)
    const { tried, accountNo } = await tx.one(sql<{ tried: string[]; accountNo: string | null }>`
      select tried, account_no from message where message_no = ${row.messageNo}`)
    const to = {
      channel: 'phone' as CodeChannel,
      to: String(row.phone),
      challengeId: row.challengeId,
      userNo: row.userNo,
    }
    const asked = { scene: row.scene as Scene, merchantNo: row.merchantNo, appCode: row.appCode, ip: row.ip }
    const way = { language: row.language as Language, avoid: [...tried, accountNo ?? ''], byStaff: true as const }
    const sent = await codes.send(tx, { ...to, ...asked, ...way }, actor)
    if (sent instanceof Fault) return sent
    const vendorName = vendors.sms.find(one => one.accountNo === next)?.vendorName ?? ''
    audit({ ...about(row.codeNo), after: { codeNo: sent.codeNo, vendorName } })
    return { codeNo: sent.codeNo, vendorName }
  })

  const unlock = serve(verifyCode.unlock, async call => {
    const { tx, session, input, actor, audit } = call
    const row = await lockCode(tx, session, input.codeNo)
    await tx.exec(sql`select pg_advisory_xact_lock(hashtext(${`verify code ${row.phone}`}))`)
    await blocked.check(call, verifyCode.unlock, row.codeNo)
    const until = new Date(tx.now.getTime() + liftMs)
    await tx.exec(sql`
      insert into verify_code_lift (phone, business_date, until_time, reason, created_by, created_time)
      values (${row.phone}, ${tx.today}, ${until}, ${input.reason}, ${actor.no}, ${tx.now})`)
    audit({
      ...about(row.codeNo),
      after: { phone: mask(String(row.phone)), reason: input.reason, until: until.toISOString() },
    })
    return { liftedUntil: until.toISOString() }
  })

  return [resend, unlock]
}
