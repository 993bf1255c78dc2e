import { sql } from 'kysely'
import { businessConfigs, type SignInPolicy } from '../../../../core/contract/common/business-config.ts'
import type { Tx } from '../../../db/database.ts'

const { schema, plain } = businessConfigs.SIGN_IN_POLICY

/** Whether the people of an organization, or of one above it, show a code after their password. */
export const asksCode = async (tx: Tx, orgNo: string): Promise<boolean> => {
  const { codeFor } = await policyOf(tx)
  if (codeFor.length === 0) return false
  const found = await tx.maybe(sql`
    with recursive above as (
      select org_no, parent_org_no from org where org_no = ${orgNo}
      union select o.org_no, o.parent_org_no from org o join above on o.org_no = above.parent_org_no)
    select 1 from above where org_no = any(${codeFor}) limit 1`)
  return found !== undefined
}

/** When a puzzle is shown, and whose people show a code by e-mail or text too; a part that nobody has set is that of the program. */
const policyOf = async (tx: Tx): Promise<SignInPolicy> => {
  const row = await tx.maybe(
    sql<{ given: object }>`select config_value as given from business_config where config_key = 'SIGN_IN_POLICY'`,
  )
  return schema.parse({ ...plain, ...row?.given })
}

/** Failures of a name after which its next sign-in shows a slide first. */
const slideAfter = 2
const windowMinutes = 15

type Counted = { failures: number; windowStart: string; lockedUntil: string | null }

/**
 * Whether a sign-in must show a slide: always, where the policy says so, or once the name has failed twice. Known names and names that
 * nobody has are counted alike, so the slide says nothing about them.
 */
export const asksSlide = async (tx: Tx, username: string | undefined): Promise<boolean> => {
  if ((await policyOf(tx)).slide === 'always') return true
  const counted =
    username &&
    (await tx.maybe(sql<Counted>`
      select failures, window_start, locked_until from login_throttle where login_id = ${username.toLowerCase()}`))
  if (!counted) return false
  const { failures, windowStart, lockedUntil } = counted
  if (lockedUntil !== null && Date.parse(lockedUntil) > tx.now.getTime()) return true
  return failures >= slideAfter && tx.now.getTime() - Date.parse(windowStart) < windowMinutes * 60_000
}
