import { sql } from 'kysely'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { people } from '../../../../core/contract/user/people.ts'
import type { Tx } from '../../../db/database.ts'
import { notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { type Limit, rightsOf } from '../../../rights/held-rights.ts'
import { liveSessions, type Session } from '../../../session/session.ts'
import { isMoney } from '../account/index.ts'
import { lockPerson, peopleRule } from './people-source.ts'

const days = 30
const most = 200

const visible = async (tx: Tx, session: Session, userNo: string): Promise<void> => {
  const found = await tx.maybe(sql`select 1 from app_user u where u.user_no = ${userNo} and ${peopleRule(session)}`)
  if (!found) throw notFound()
}
const since = (tx: Tx) => new Date(tx.now.getTime() - days * 86_400_000)

const detail = serve(people.detail, async ({ tx, session, input }) => {
  const found = await tx.maybe(sql<OutputOf<typeof people.detail>>`
    select u.user_no, u.login_id, u.user_name, u.real_name, u.job_no, u.dept_no, d.dept_name, u.principal_merchant_no,
      pm.merchant_name as principal_merchant_name, u.phone, u.phone_verified, u.email, u.email_verified, u.extension_no, u.internal_user,
      u.valid_until, u.last_day, u.last_login_time, u.last_login_ip, u.created_time, u.version,
      ${session.sensitive.has('pii:reveal:baseSalary') ? sql`u.base_salary` : sql`null::numeric(18,2)`} as base_salary,
      array(select held.role_no from user_role held where held.user_no = u.user_no order by held.role_no) as role_nos,
      array(select r.role_name from user_role held join role r using (role_no) where held.user_no = u.user_no order by r.role_name) as role_names,
      array(select um.merchant_no from user_merchant um where um.user_no = u.user_no and um.merchant_no <> u.principal_merchant_no order by 1) as associated_merchant_nos,
      array(select m.merchant_name from user_merchant um join merchant m using (merchant_no) where um.user_no = u.user_no and um.merchant_no <> u.principal_merchant_no order by 1) as associated_merchant_names
    from app_user u join dept d on d.dept_no = u.dept_no join merchant pm on pm.merchant_no = u.principal_merchant_no
    where u.user_no = ${input.userNo} and ${peopleRule(session)}`)
  if (!found) throw notFound()
  return found
})

type Given = { perms: string; menuName: string; roleName: string }

const rights = serve(people.rights, async ({ tx, session, input }) => {
  await visible(tx, session, input.userNo)
  const held = await rightsOf(tx, input.userNo)
  const given = await tx.rows(sql<Given>`
    select m.perms, coalesce(page.menu_name, m.menu_name) as menu_name, r.role_name
    from user_role ur join role r using (role_no) join role_menu rm using (role_no) join menu m using (menu_no) left join menu page on page.menu_no = m.parent_menu_no
    where ur.user_no = ${input.userNo} and m.menu_type = 'button' and m.perms is not null and m.gone_time is null
    order by m.perms, r.role_name`)
  const sensitive = await tx.rows(sql<{ kind: string; roleName: string }>`
    select kind, r.role_name from user_role ur join role r using (role_no), unnest(r.sensitive_perms) kind
    where ur.user_no = ${input.userNo} order by kind, r.role_name`)
  const asleep = await tx.maybe(sql`select 1 from user_mfa where user_no = ${input.userNo} and money_from > ${tx.now}`)
  return {
    list: given.map(one => ({
      ...one,
      limitType: (held.limitOf.get(one.perms) ?? 'own') as Limit,
      sleeping: asleep !== undefined && isMoney(one.perms),
    })),
    sensitive,
  }
})

type Stored = OutputOf<typeof people.sessions>['list'][number]

const sessions = serve(people.sessions, async ({ tx, session, input }) => {
  await visible(tx, session, input.userNo)
  const rows = await tx.rows(sql<Stored>`
    select session_no, created_time, last_seen_time, ip, browser from session where user_no = ${input.userNo} and ended_time is null order by last_seen_time desc`)
  const live = await liveSessions(
    tx,
    rows.map(row => row.sessionNo),
  )
  return { list: rows.filter(row => live.has(row.sessionNo)) }
})

const signIns = serve(people.signIns, async ({ tx, session, input }) => {
  await visible(tx, session, input.userNo)
  return {
    list: await tx.rows(sql<OutputOf<typeof people.signIns>['list'][number]>`
      select a.audit_no::int as audit_no, a.at, a.action, a.ip from audit_log a join app_user u on u.user_no = ${input.userNo}
      where a.object_type = 'user' and a.object_no in (u.user_no, u.login_id) and (a.action like 'user.login%' or a.action = 'user.passwordSet') and a.at > ${since(tx)}
      order by a.audit_no desc limit ${most}`),
  }
})

const activity = serve(people.activity, async ({ tx, session, input }) => {
  await visible(tx, session, input.userNo)
  return {
    list: await tx.rows(sql<OutputOf<typeof people.activity>['list'][number]>`
      select * from (
        select 'A' || audit_no as act_no, at, action, object_type, object_no from audit_log where actor = ${input.userNo} and at > ${since(tx)}
        union all
        select 'R' || access_no, at, 'access.' || access_kind, object_type, object_no from access_log where user_no = ${input.userNo} and at > ${since(tx)}) done
      order by at desc, act_no desc limit ${most}`),
  }
})

const endSession = serve(people.endSession, async ({ tx, session, input, audit }) => {
  const { userNo } = await lockPerson(tx, session, input.userNo)
  const ended = await tx.exec(sql`
    update session set ended_time = ${tx.now}, ended_reason = 'revoked' where session_no = ${input.sessionNo} and user_no = ${userNo} and ended_time is null`)
  if (ended === 0) throw notFound()
  audit({ objectType: 'user', objectNo: userNo, after: { sessionsEnded: ended } })
  return {}
})

/** One person: what is known, what they may, where they are signed in and what they did. */
export const detailServed = [detail, rights, sessions, signIns, activity, endSession]
