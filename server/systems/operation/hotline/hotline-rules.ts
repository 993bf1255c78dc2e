import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'

type Frag = RawBuilder<unknown>
type Values = Readonly<Record<string, unknown>>

/** What every app in force keeps at least one of, by the condition on a contact. */
const kept = {
  phone: { is: (alias: string) => sql`${sql.ref(`${alias}.hotline_type`)} = 'phone'`, refused: 'errors.lastPhoneLine' },
  complaint: { is: (alias: string) => sql`${sql.ref(`${alias}.complaint`)}`, refused: 'errors.lastComplaintContact' },
} as const
type Role = keyof typeof kept

const inForce = (alias: string) =>
  sql`(${sql.ref(`${alias}.enabled`)} = 'enabled' and ${sql.ref(`${alias}.deleted_time`)} is null)`

/** The first app in force of contact `x` that has no other contact of a role. */
export const lastApp = (role: Role): Frag => sql`(case when ${inForce('x')} and ${kept[role].is('x')} then (
  select app from unnest(x.app_codes) app
  where exists (select 1 from merchant m where m.app_name = app and m.enabled = 'enabled')
    and not exists (select 1 from hotline y where ${inForce('y')} and ${kept[role].is('y')} and y.hotline_no <> x.hotline_no and app = any(y.app_codes))
  order by app limit 1) end)`

/** The phone line that the first app of contact `x` shows when `x` is off. */
export const nextLine = sql`(select y.contact_value from hotline y
  where ${inForce('y')} and y.hotline_type = 'phone' and y.hotline_no <> x.hotline_no and y.app_codes && x.app_codes
  order by y.sort, y.hotline_no limit 1)`

/** Whether contact `x` answers at a moment. */
export const answersAt = (tx: Tx): Frag => {
  const local = sql`(${tx.now}::timestamptz at time zone 'Africa/Kampala')`
  return sql`(lower(to_char(${local}, 'Dy')) = any(x.work_days) and to_char(${local}, 'HH24:MI') >= x.opens_at and to_char(${local}, 'HH24:MI') < x.closes_at)`
}

/** Published announcements, and those to come, that print contact `x`. */
export const printedIn = sql`announcement a where a.announcement_status in ('scheduled', 'published')
  and position(x.contact_value in concat_ws(' ', a.title_zh, a.title_en, a.title_sw, a.content_zh, a.content_en, a.content_sw)) > 0`

/** Changes to the contacts of apps wait for one another: which is the last one is asked and answered by one at a time. */
export const oneAtATime = (tx: Tx): Promise<unknown> =>
  tx.exec(sql`select pg_advisory_xact_lock(hashtext('contacts of apps'))`)

/** The words of the refusal, for an app whose last contact of a role this is. */
export const lastFault = (role: Role, name: string) => new Fault('stateConflict', kept[role].refused, { name })

/**
 * Refuses to take a contact in force away from an app that has no other one of its role: it is disabled (`after` is null), or is about
 * to be of another kind or of other apps.
 */
export const keepLast = async (tx: Tx, item: Values, after: Values | null): Promise<void> => {
  if (item.enabled !== 'enabled') return
  const roles: [Role, boolean][] = [
    ['phone', after?.hotlineType === 'phone'],
    ['complaint', after?.complaint === true],
  ]
  for (const [role, remains] of roles) {
    const left = remains ? (after?.appCodes as string[]) : []
    const { apps } = await tx.one(sql<{ apps: string[] }>`
      select coalesce(array_agg(app order by app), '{}') as apps from (
        select unnest(x.app_codes) as app from hotline x where x.hotline_no = ${item.hotlineNo} and ${kept[role].is('x')}) of_x
      where exists (select 1 from merchant m where m.app_name = app and m.enabled = 'enabled')
        and not exists (select 1 from hotline y where ${inForce('y')} and ${kept[role].is('y')} and y.hotline_no <> ${item.hotlineNo} and app = any(y.app_codes))`)
    const lost = apps.find(app => !left.includes(app))
    if (lost) throw lastFault(role, lost)
  }
}
