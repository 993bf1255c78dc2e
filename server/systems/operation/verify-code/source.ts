import { type RawBuilder, sql } from 'kysely'
import { verifyCode } from '../../../../core/contract/operation/verify-code.ts'
import type { Tx } from '../../../db/database.ts'
import { notFound } from '../../../http/fault.ts'
import type { Vendors } from '../../../outgoing/vendors.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import type { VerifyCode } from './code.ts'

type Frag = RawBuilder<unknown>

/** The data rule on codes `v`: those of the apps of one's merchants; those of staff belong to no merchant, and are for who sees all. */
export const codeRule = (session: Session): Frag =>
  scope(session, {
    merchant: 'v.merchant_no',
    holder: person => person(sql`v.user_no`),
    perm: verifyCode.page.perm as string,
  })

const within = async (tx: Tx, session: Session, codeNo: string, lock: boolean): Promise<VerifyCode> => {
  const row = await tx.maybe(sql<VerifyCode>`
    select v.* from verify_code v where v.code_no = ${codeNo} and ${codeRule(session)} ${lock ? sql`for update` : sql``}`)
  if (!row) throw notFound()
  return row
}

/** A code within the data rule. @throws {Fault} 40401 for one out of it as for one that there is not */
export const readCode = (tx: Tx, session: Session, codeNo: string) => within(tx, session, codeNo, false)
/** The same, locked. */
export const lockCode = (tx: Tx, session: Session, codeNo: string) => within(tx, session, codeNo, true)

/** The first account that the text `m` of a code has not gone by; null where there is none, and for letters. */
export const nextAccount = ({ sms }: Vendors, what: 'accountNo' | 'vendorName'): Frag => sql`
  case when m.channel_type = 'sms' then (
    select other.${sql.ref(what === 'accountNo' ? 'no' : 'name')} from unnest(${sms.map(one => one.accountNo)}::text[], ${sms.map(one => one.vendorName)}::text[])
      with ordinality as other (no, name, place)
    where other.no is distinct from m.account_no and not other.no = any(m.tried) order by other.place limit 1) end`
