import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { invalid } from '../../../http/fault.ts'
import { deptScope } from '../../../rights/dept-scope.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { type Person, pagePerm } from './people-source.ts'

type Place = { deptNo?: string; merchantNos: readonly string[] }

/** Refuses a department or merchants that are not, or lie beyond what the caller may see. */
export const checkPlace = async (tx: Tx, session: Session, { deptNo, merchantNos }: Place): Promise<void> => {
  if (deptNo !== undefined) {
    const dept = await tx.maybe(
      sql`select 1 from dept d where d.dept_no = ${deptNo} and ${deptScope(session, pagePerm)} for share`,
    )
    if (!dept) throw invalid('deptNo', 'errors.notFound')
  }
  const wanted = [...new Set(merchantNos)]
  const rule = scope(session, { merchant: 'm.merchant_no', holder: () => sql`true`, perm: pagePerm })
  const found = await tx.rows(sql`select 1 from merchant m where m.merchant_no = any(${wanted}) and ${rule}`)
  if (found.length < wanted.length) throw invalid('principalMerchantNo', 'errors.notFound')
}

/** A day on which access ends lies ahead, or is today. */
export const checkUntil = (tx: Tx, validUntil: string | undefined): void => {
  if (validUntil !== undefined && validUntil < tx.today) throw invalid('validUntil', 'validation.dayPassed')
}

/** Merchants of a person, the principal one left out. */
export const associatedOf = async (
  tx: Tx,
  { userNo, principalMerchantNo }: Pick<Person, 'userNo' | 'principalMerchantNo'>,
): Promise<string[]> =>
  (
    await tx.rows(sql<{ merchantNo: string }>`
      select merchant_no from user_merchant where user_no = ${userNo} and merchant_no <> ${principalMerchantNo} order by merchant_no`)
  ).map(row => row.merchantNo)

/** Gives a person exactly these merchants. */
export const setMerchants = async (tx: Tx, userNo: string, merchantNos: readonly string[]): Promise<void> => {
  const wanted = [...new Set(merchantNos)]
  await tx.exec(sql`delete from user_merchant where user_no = ${userNo} and merchant_no <> all(${wanted})`)
  await tx.exec(
    sql`insert into user_merchant select ${userNo}, no from unnest(${wanted}::text[]) no on conflict do nothing`,
  )
}
