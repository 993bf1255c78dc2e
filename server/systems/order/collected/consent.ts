import { sql } from 'kysely'
import type { ValueOf } from '../../../../core/contract/fields.ts'
import type { consentKinds } from '../../../../core/contract/order/intake.ts'
import type { Tx } from '../../../db/database.ts'

export type ConsentKind = ValueOf<typeof consentKinds>

/** When the applicant agreed that something is collected; null where they did not. */
export const consentTimeOf = async (tx: Tx, orderNo: string, kind: ConsentKind): Promise<string | null> => {
  const row = await tx.maybe(
    sql<{ consentTime: string }>`
      select consent_time from order_consent where order_no = ${orderNo} and consent_kind = ${kind}`,
  )
  return row?.consentTime ?? null
}
