import { type RawBuilder, sql } from 'kysely'
import { announcementManage } from '../../../../core/contract/operation/announcement-manage.ts'
import type { Language } from '../../../../core/i18n/language.ts'
import type { Tx } from '../../../db/database.ts'
import { invalid } from '../../../http/fault.ts'
import { limitFor } from '../../../rights/scope.ts'
import { mayEnter, type Session } from '../../../session/session.ts'

type Frag = RawBuilder<unknown>

/** Roles, departments and merchants of staff, or apps; an empty list stands for all. */
export type Audience = {
  audienceType: 'staff' | 'app'
  audienceRoles: readonly string[]
  audienceDepts: readonly string[]
  audienceMerchants: readonly string[]
  audienceApps: readonly string[]
}

export const allStaff: Audience = {
  audienceType: 'staff',
  audienceRoles: [],
  audienceDepts: [],
  audienceMerchants: [],
  audienceApps: [],
}

/** Whether announcement `a` is meant for user `u`: every kind that it names fits, a department with those below it. */
export const reaches: Frag = sql`(
  a.audience_type = 'staff'
  and (cardinality(a.audience_roles) = 0 or exists (select 1 from user_role ur where ur.user_no = u.user_no and ur.role_no = any(a.audience_roles)))
  and (cardinality(a.audience_depts) = 0 or a.audience_depts && dept_line(u.dept_no))
  and (cardinality(a.audience_merchants) = 0 or u.principal_merchant_no = any(a.audience_merchants)
    or exists (select 1 from user_merchant um where um.user_no = u.user_no and um.merchant_no = any(a.audience_merchants))))`

/** Users `u` whom announcement `a` reaches as they are now. */
export const reached: Frag = sql`(${mayEnter} and ${reaches})`

/** Announcements `a` that this member of staff may read now. */
export const isFor = (tx: Tx, { userNo }: Pick<Session, 'userNo'>): Frag => sql`(
  a.announcement_status = 'published' and a.start_time <= ${tx.now} and (a.end_time is null or a.end_time > ${tx.now})
  and exists (select 1 from app_user u where u.user_no = ${userNo} and ${reaches}))`

/** A text in the language of the reader, else in the first of sw, en, zh that there is. */
export const inLanguage = (language: Language, name: 'title' | 'content'): Frag =>
  sql`coalesce(${sql.join([language, 'sw', 'en', 'zh'].map(one => sql.ref(`a.${name}_${one}`)))})`

/** How many members of staff an audience reaches now. */
export const reachOf = async (tx: Tx, to: Audience): Promise<number> => {
  const { count } = await tx.one(sql<{ count: number }>`
    select count(*)::int as count
    from (select ${to.audienceType}::text as audience_type, ${[...to.audienceRoles]}::text[] as audience_roles,
      ${[...to.audienceDepts]}::text[] as audience_depts, ${[...to.audienceMerchants]}::text[] as audience_merchants) a
    join app_user u on ${reached}`)
  return count
}

/** Merchants whose staff somebody may write to; null for all. */
const merchantsOf = (session: Session, perm: string | undefined): readonly string[] | null => {
  const limit = limitFor(session, perm)
  if (limit === 'all' && !session.onlyMerchants) return null
  return session.onlyMerchants ?? (limit === 'org_below' ? session.orgMerchants : session.merchants)
}

/** The data rule on announcements `a`: those about one's own merchants alone, and those one wrote. */
export const announcementScope = (session: Session, perm = announcementManage.page.perm): Frag => {
  const own = merchantsOf(session, perm)
  if (own === null) return sql`true`
  return sql`(a.created_by = ${session.userNo}
    or (a.audience_type = 'staff' and cardinality(a.audience_merchants) > 0 and a.audience_merchants <@ ${[...own]}::text[])
    or (a.audience_type = 'app' and not exists (
      select 1 from unnest(a.audience_apps) named where not exists (
        select 1 from merchant m where m.app_name = named and m.merchant_no = any(${[...own]})))))`
}

const unknownOf = (tx: Tx, values: readonly string[], from: Frag): Promise<{ name: string } | undefined> =>
  tx.maybe(
    sql<{ name: string }>`select name from unnest(${[...values]}::text[]) name where name not in (${from}) limit 1`,
  )

/**
 * Refuses an audience that names what there is not, or what is outside of the data rule of its writer.
 * @throws {Fault} 40001 at the field
 */
export const checkAudience = async (tx: Tx, session: Session, to: Audience): Promise<void> => {
  const own = merchantsOf(session, announcementManage.save.perm)
  const within = own === null ? sql`true` : sql`merchant_no = any(${[...own]})`
  const sources = {
    audienceRoles: sql`select role_no from role`,
    audienceDepts: sql`select dept_no from dept`,
    audienceMerchants: sql`select merchant_no from merchant where ${within}`,
    audienceApps: sql`select app_name from merchant where ${within}`,
  } as const
  for (const [name, from] of Object.entries(sources))
    if (await unknownOf(tx, to[name as keyof typeof sources], from)) throw invalid(name, 'validation.wrongValue')
  if (own !== null && to.audienceType === 'staff' && to.audienceMerchants.length === 0)
    throw invalid('audienceMerchants', 'validation.infoComplete')
}
