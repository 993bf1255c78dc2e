import { type RawBuilder, sql } from 'kysely'
import type { ActivityTask } from '../../../../core/contract/operation/activity.ts'
import type { Tx } from '../../../db/database.ts'
import type { Heard, RewardedEvent } from './heard.ts'
import type { Activity } from './store.ts'

type Frag = RawBuilder<unknown>
/** Somebody reached something that an activity rewards. */
export type Reached = {
  /** Who earned it, and at which merchant. */
  customerNo: string
  merchantNo: string
  subjectNo: string
  orderNo: string
  inviteeNo: string | null
  /** How often they have reached it by now. */
  count: number
}

/** The event that may complete a task. */
export const eventOf: Readonly<Record<ActivityTask['taskKey'], RewardedEvent>> = {
  register: 'order.submitted',
  first_loan: 'payout.success',
  loans: 'payout.success',
  on_time: 'repay.settled',
  invite_register: 'order.submitted',
  invite_on_time: 'repay.settled',
}

/** Order `o` was repaid with no bill late and none put off. */
const onTime = sql`o.order_status = 'settled' and o.settled_time is not null and not exists (
  select 1 from repay_plan b where b.order_no = o.order_no and (b.extended or b.extension_count > 0 or b.settled_date > b.due_date))`
const paidOut = sql`o.payout_time is not null and o.order_status in ('funds_disbursed', 'settled')`
/** Order `o` was the first application of its customer. */
const firstApplication = sql`not exists (
  select 1 from loan_order e where e.customer_no = o.customer_no and (e.apply_time, e.order_no) < (o.apply_time, o.order_no))`

/** What of order `o` counts for a task, and when it was reached. */
const counts: Readonly<Record<ActivityTask['taskKey'], { what: Frag; time: Frag }>> = {
  register: { what: firstApplication, time: sql`o.apply_time` },
  first_loan: { what: sql`${paidOut} and o.loan_kind = 'first'`, time: sql`o.payout_time` },
  loans: { what: paidOut, time: sql`o.payout_time` },
  on_time: { what: onTime, time: sql`o.settled_time` },
  invite_register: { what: firstApplication, time: sql`o.apply_time` },
  invite_on_time: { what: sql`${onTime} and o.loan_kind = 'first'`, time: sql`o.settled_time` },
}

/** Order `o` at a merchant and in the time of the activity. */
const within = ({ merchantNos, startTime, endTime }: Activity, time: Frag): Frag =>
  sql`o.merchant_no = any(${merchantNos}::text[]) and ${time} >= ${startTime}::timestamptz and ${time} < ${endTime}::timestamptz`

/**
 * The person of order `o` is new: they had not applied before the invitation `i`, and nobody else had from the same device or with the
 * same account to be paid to.
 */
const isNew = sql`
  not exists (select 1 from loan_order e where e.customer_no = o.customer_no and e.apply_time < i.invited_time)
  and not exists (select 1 from loan_order e where e.customer_no <> o.customer_no and e.apply_time < i.invited_time and e.device ->> 'deviceId' = o.device ->> 'deviceId')
  and not exists (select 1 from loan_order e where e.customer_no <> o.customer_no and e.apply_time < i.invited_time and e.wallet_account = o.wallet_account)
  and not exists (select 1 from loan_order e where e.customer_no <> o.customer_no and e.apply_time < i.invited_time and e.bank_card_no = o.bank_card_no)`

const isInvite = (task: ActivityTask) => task.taskKey.startsWith('invite')

/** Invitations of an activity whose friend did what the task asks, as a table of `customer_no, merchant_no, subject_no, order_no`. */
const byInvite = (activity: Activity, task: ActivityTask): Frag => {
  const { what, time } = counts[task.taskKey]
  return sql`
    select i.customer_no, i.merchant_no, o.customer_no as subject_no, o.order_no from activity_invite i
      join merchant_customer mc on mc.phone = i.phone and mc.customer_no <> i.customer_no
      join loan_order o on o.customer_no = mc.customer_no and o.merchant_no = mc.merchant_no
    where i.activity_no = ${activity.activityNo} and ${what} and ${within(activity, time)} and ${isNew}`
}

/** Orders that did what the task asks, in the same columns. */
const byOrder = (activity: Activity, task: ActivityTask): Frag => {
  const { what, time } = counts[task.taskKey]
  return sql`
    select o.customer_no, o.merchant_no, o.order_no as subject_no, o.order_no from loan_order o where ${what} and ${within(activity, time)}`
}

/** Whether an order reached a task of an activity, as things stand now, and how often its customer did. */
export const reachedBy = async (
  tx: Tx,
  activity: Activity,
  task: ActivityTask,
  { orderNo, customerNo }: Pick<Heard, 'orderNo' | 'customerNo'>,
): Promise<Reached | undefined> => {
  if (isInvite(task)) {
    const all = byInvite(activity, task)
    return tx.maybe(sql<Reached>`
      select r.*, r.subject_no as invitee_no, (select count(distinct n.subject_no)::int from (${all}) n where n.customer_no = r.customer_no) as count
      from (${all}) r where r.order_no = ${orderNo} limit 1`)
  }
  const all = sql`${byOrder(activity, task)} and o.customer_no = ${customerNo}`
  return tx.maybe(sql<Reached>`
    select r.*, null as invitee_no, (select count(*)::int from (${all}) n) as count from (${all}) r where r.order_no = ${orderNo}`)
}

/** A device or an account to be paid to that another who takes part in the activity used as well. */
export const sharedIn = async (
  tx: Tx,
  activityNo: string,
  { orderNo }: Pick<Reached, 'orderNo'>,
): Promise<{ awardHold: 'same_device' | 'same_wallet'; clusterNo: string } | null> => {
  const found = await tx.one(sql<{ device: string | null; wallet: string | null }>`
    with taking as (
      select w.customer_no from activity_award w where w.activity_no = ${activityNo}
      union select w.invitee_no from activity_award w where w.activity_no = ${activityNo} and w.invitee_no is not null
      union select mc.customer_no from activity_invite i join merchant_customer mc on mc.phone = i.phone where i.activity_no = ${activityNo}
      union select i.customer_no from activity_invite i where i.activity_no = ${activityNo})
    select
      (select o.device ->> 'deviceId' from loan_order e where e.customer_no <> o.customer_no and e.device ->> 'deviceId' = o.device ->> 'deviceId'
        and e.customer_no in (select customer_no from taking) limit 1) as device,
      coalesce((select o.wallet_account from loan_order e where e.customer_no <> o.customer_no and e.wallet_account = o.wallet_account
          and e.customer_no in (select customer_no from taking) limit 1),
        (select o.bank_card_no from loan_order e where e.customer_no <> o.customer_no and e.bank_card_no = o.bank_card_no
          and e.customer_no in (select customer_no from taking) limit 1)) as wallet
    from loan_order o where o.order_no = ${orderNo}`)
  if (found.wallet) return { awardHold: 'same_wallet', clusterNo: await clusterOf(tx, `wallet ${found.wallet}`) }
  if (found.device) return { awardHold: 'same_device', clusterNo: await clusterOf(tx, `device ${found.device}`) }
  return null
}

/** Names a cluster without saying the device or the account that it shares. */
const clusterOf = async (tx: Tx, shared: string): Promise<string> =>
  (await tx.one(sql<{ no: string }>`select 'CL' || upper(left(md5(${shared}), 10)) as no`)).no
