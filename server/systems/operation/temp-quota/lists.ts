import { type RawBuilder, sql } from 'kysely'
import { tempQuota as calls } from '../../../../core/contract/operation/temp-quota.ts'
import { type Asker, blocks } from '../../../approval/blocks.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'
import { begins } from '../../../lists/list.ts'
import { listed } from '../../../lists/listed.ts'
import type { Choices } from '../../../module.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'

type Frag = RawBuilder<unknown>

/** Tasks `x` for merchants that a person serves. */
export const taskSeen = (session: Session): Frag =>
  scope(session, {
    merchant: 'x.merchant_no',
    holder: person => person(sql`x.applicant_no`),
    perm: calls.tasks.perm,
  })

/** Limits `g` of customers of merchants that a person serves. */
export const grantSeen = (session: Session): Frag =>
  scope(session, { merchant: 'g.merchant_no', holder: () => sql`true`, perm: calls.records.perm })

type TaskFacts = { quotaTaskNo: string; quotaTaskStatus: string; applicantNo: string }

const ownTask = ({ quotaTaskStatus, applicantNo }: TaskFacts, { session }: Asker) =>
  quotaTaskStatus === 'pending' && session?.userNo === applicantNo
    ? new Fault('forbidden', 'errors.ownApplication')
    : null
const othersTask = ({ quotaTaskStatus, applicantNo }: TaskFacts, { session }: Asker) =>
  quotaTaskStatus === 'pending' && session && session.userNo !== applicantNo && !session.perms.has('tempQuota:remove')
    ? new Fault('forbidden', 'errors.onlyMaker')
    : null

/** Why tasks are not decided, or not removed. */
export const taskBlocks = blocks<TaskFacts>({
  read: async (tx, keys) => {
    const found = await tx.rows(sql<TaskFacts>`
      select quota_task_no, quota_task_status, applicant_no from temp_quota_task where quota_task_no = any(${[...keys]})`)
    return new Map(found.map(facts => [facts.quotaTaskNo, facts]))
  },
  states: ({ quotaTaskStatus }) => ({ tempQuotaTask: quotaTaskStatus }),
  commands: [
    { command: calls.audit, refuses: ownTask },
    { command: calls.remove, refuses: othersTask },
  ],
})

type GrantFacts = {
  grantNo: string
  grantStatus: string
  boundOrderNo: string | null
  consentTime: string | null
  endTime: string
  maker: string | null
}

const waitingMakerOf = sql`(select a.maker_name from approval a where a.object_type = 'tempQuotaGrant' and a.object_no = g.grant_no and a.approval_status = 'pending' limit 1)`

const readGrants = async (tx: Tx, keys: readonly string[]): Promise<ReadonlyMap<string, GrantFacts>> => {
  const found = await tx.rows(sql<GrantFacts>`
    select g.grant_no, g.grant_status, g.bound_order_no, g.consent_time, g.end_time, ${waitingMakerOf} as maker
    from temp_quota_grant g where g.grant_no = any(${[...keys]})`)
  return new Map(found.map(facts => [facts.grantNo, facts]))
}

/** Why a limit is not taken back, or no consent is noted. */
export const grantBlocks = blocks<GrantFacts>({
  read: readGrants,
  states: ({ grantStatus }) => ({ tempQuotaGrant: grantStatus }),
  commands: [
    {
      command: calls.revoke,
      refuses: ({ boundOrderNo, grantStatus, maker }, { session }) => {
        if (boundOrderNo && grantStatus === 'effective') return new Fault('stateConflict', 'errors.quotaInUse')
        return maker && session ? new Fault('stateConflict', 'errors.approvalWaits') : null
      },
    },
    {
      command: calls.consent,
      refuses: ({ consentTime, grantStatus, endTime }, { tx }) =>
        !['waiting', 'waiting_consent'].includes(grantStatus)
          ? null
          : consentTime
            ? new Fault('stateConflict', 'errors.quotaAgreed')
            : Date.parse(endTime) <= tx.now.getTime()
              ? new Fault('stateConflict', 'errors.quotaEnded')
              : null,
    },
  ],
})

const counted = (what: Frag) =>
  sql`(select count(*)::int from temp_quota_grant g where g.quota_task_no = x.quota_task_no and ${what})`

/** Tasks with what became of their customers. */
export const taskList = listed({
  list: calls.tasks,
  source: ({ session }) => ({
    from: sql`temp_quota_task x join merchant m on m.merchant_no = x.merchant_no`,
    alias: 'x',
    key: sql`x.quota_task_no`,
    where: taskSeen(session),
    columns: {
      merchantName: sql`m.merchant_name`,
      quotaCustomers: sql`x.customer_count`,
      totalAmount: sql`(x.quota_amount * x.customer_count)::numeric(18,2)`,
      granted: counted(sql`true`),
      consented: counted(sql`g.consent_time is not null`),
      usedGrants: counted(sql`g.grant_status = 'used'`),
      leftOutRows: sql`(select count(*)::int from temp_quota_row r where r.quota_task_no = x.quota_task_no and r.fail_reason is not null)`,
    },
    filters: {
      mine: (is: boolean) => sql`(x.applicant_no = ${session.userNo}) = ${is}`,
      applicantName: (text: string) => begins(sql`x.applicant_name`, text),
    },
  }),
  blocked: taskBlocks,
})

/** Limits that customers hold or have held. */
export const grantList = listed({
  list: calls.records,
  source: ({ session }) => ({
    from: sql`temp_quota_grant g`,
    alias: 'g',
    key: sql`g.grant_no`,
    where: grantSeen(session),
    joins: {
      c: sql`join order_customer c on c.customer_no = g.customer_no and c.merchant_no = g.merchant_no`,
      m: sql`join merchant m on m.merchant_no = g.merchant_no`,
    },
    columns: {
      customerName: sql`c.customer_name`,
      phone: sql`c.phone`,
      ownLimit: sql`c.credit_limit`,
      merchantName: sql`m.merchant_name`,
      grantOrderNo: sql`g.bound_order_no`,
      grantUsedTime: sql`g.used_time`,
      agreedTime: sql`g.consent_time`,
      beyondAmount: sql`g.used_amount`,
      pendingApproval: waitingMakerOf,
    },
    filters: {
      phone: (phone: string) => sql`c.phone = ${phone}`,
      consent: (is: string) => sql`(g.consent_time is not null) = ${is === 'given'}`,
    },
  }),
  blocked: grantBlocks,
})

const rowKey = sql`(r.quota_task_no || '-' || lpad(r.row_no::text, 5, '0'))`

/** Customers of a task, and what became of each. */
export const rowList = listed({
  list: calls.rows,
  source: ({ session }) => ({
    from: sql`temp_quota_row r join temp_quota_task x on x.quota_task_no = r.quota_task_no`,
    alias: 'r',
    key: rowKey,
    where: taskSeen(session),
    columns: {
      quotaRowNo: rowKey,
      named: session.desensitized
        ? sql`case when r.named ~ '^[+0-9 ]{9,15}$' then left(r.named, 2) || '********' || right(r.named, 2) else r.named end`
        : sql`r.named`,
    },
  }),
})

export const quotaLists = [taskList, grantList, rowList]

/** Groups of customers whom a task may be for: those with a member of the reader's merchants. */
export const groupChoices: Choices = {
  key: 'USER_GROUP',
  list: ({ tx, session }) =>
    tx.rows(sql<{ value: string; label: string; enabled: boolean }>`
      select x.user_group_no as value, x.user_group_name as label, (x.expire_time is null or x.expire_time > ${tx.now}) as enabled from user_group x
      where exists (select 1 from user_group_member g where g.user_group_no = x.user_group_no
        and ${scope(session, { merchant: 'g.merchant_no', holder: () => sql`true`, perm: calls.create.perm })}) order by 2, 1`),
}
