import { sql } from 'kysely'
import { people } from '../../../../core/contract/user/people.ts'
import { mask } from '../../../../core/rules/mask.ts'
import { addDays, startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { listed } from '../../../lists/listed.ts'
import { deptsIn } from '../../../rights/dept-scope.ts'
import { handedOn } from '../../operation/traffic/index.ts'
import { peopleBlocks } from './people-blocks.ts'
import { peopleRule } from './people-source.ts'

const like = (text: string) => `${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`

const mfaStatus = sql`coalesce((select b.mfa_status from user_mfa b where b.user_no = u.user_no), 'unbound')`
export const passwordStatus = sql`case u.password_update_status when 0 then 'valid' when 1 then 'initial' else 'compromised' end`
const lockedUntil = (tx: Tx) => sql`(
  select t.locked_until from login_throttle t where t.login_id = lower(u.login_id) and t.locked_until > ${tx.now})`
const notSince = (day: string) => sql`coalesce(u.last_login_time < ${startOfEatDay(day)}, true)`

const attention = (tx: Tx) => ({
  never_signed_in: sql`u.last_login_time is null`,
  not_lately: notSince(addDays(tx.today, -30)),
  locked: sql`${lockedUntil(tx)} is not null`,
  expiring: sql`u.valid_until between ${tx.today} and ${addDays(tx.today, 7)}`,
})

const roleNames = sql`array(select r.role_name from user_role held join role r using (role_no) where held.user_no = u.user_no order by r.role_name)`

/** People within the data rule of the reader. */
export const peopleList = listed({
  list: people.page,
  source: ({ tx, session }) => ({
    from: sql`app_user u`,
    joins: {
      d: sql`join dept d on d.dept_no = u.dept_no`,
      pm: sql`join merchant pm on pm.merchant_no = u.principal_merchant_no`,
    },
    where: peopleRule(session),
    alias: 'u',
    key: sql`u.user_no`,
    columns: {
      deptName: sql`d.dept_name`,
      roleNames,
      principalMerchantName: sql`pm.merchant_name`,
      associatedCount: sql`(select count(*)::int from user_merchant um where um.user_no = u.user_no and um.merchant_no <> u.principal_merchant_no)`,
      mfaStatus,
      passwordStatus,
      lockedUntil: lockedUntil(tx),
      sleepingUntil: sql`(select b.money_from from user_mfa b where b.user_no = u.user_no and b.money_from > ${tx.now})`,
      baseSalary: session.sensitive.has('pii:reveal:baseSalary') ? sql`u.base_salary` : sql`null::numeric(18,2)`,
      sessionCount: sql`(select count(*)::int from session s where s.user_no = u.user_no and s.ended_time is null)`,
      auditCount: sql`(select count(*)::int from audit_task t where t.auditor_no = u.user_no and t.audit_task_status in ('assigned', 'opened'))`,
      ...handedOn(sql`u.user_no`),
      pendingApproval: sql`(select min(a.approval_no) from approval a where a.object_type = 'user' and a.object_no = u.user_no and a.approval_status = 'pending')`,
    },
    filters: {
      search: text =>
        sql`(lower(u.login_id) like ${like(text)} or lower(u.user_name) like ${like(text)} or lower(u.real_name) like ${like(text)})`,
      deptNo: deptNo => sql`u.dept_no in ${deptsIn(deptNo)}`,
      deptAt: deptNo => sql`u.dept_no = ${deptNo}`,
      jobNos: text =>
        sql`lower(u.job_no) = any(${text
          .toLowerCase()
          .split(/[\s,;，；]+/)
          .filter(Boolean)})`,
      roleNo: roles =>
        roles.length
          ? sql`exists (select 1 from user_role held where held.user_no = u.user_no and held.role_no = any(${roles}))`
          : null,
      merchantNo: merchants =>
        merchants.length
          ? sql`(u.principal_merchant_no = any(${merchants}) or exists (select 1 from user_merchant um where um.user_no = u.user_no and um.merchant_no = any(${merchants})))`
          : null,
      notSince,
      attention: kind => attention(tx)[kind],
    },
  }),
  check: ({ tx, session, actor, input }) => {
    if (!input.phone) return
    tx.append('accessLog', {
      userNo: session.userNo,
      accessKind: 'search',
      objectType: 'user',
      objectNo: mask(input.phone),
      field: 'phone',
      at: tx.now,
      ip: actor.ip,
      requestId: actor.requestId,
      partnerNo: actor.partnerNo,
    })
  },
  blocked: peopleBlocks,
})
