import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import { approvalModule } from '../../approval/approval.ts'
import type { Tx } from '../../db/database.ts'
import { rightsOfPerson, type Session } from '../../session/session.ts'
import { activityModule } from '../../systems/operation/activity/activity.ts'
import { awardQueue } from '../../systems/operation/activity/award.ts'
import { at, type Hand, handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'
import { merchants } from '../world.ts'

const { activity, common } = contract
const day = 86_400_000

type Desk = { hand: Hand; maker: Session; second: Session }
type Words = { zh: string; en: string; sw: string }
type Plan = {
  name: string
  type: 'invite' | 'first_loan' | 'on_time' | 'festival'
  tasks: {
    taskKey: 'invite_on_time' | 'first_loan' | 'loans' | 'on_time'
    taskThreshold: number
    awardKind: 'coupon' | 'wallet'
    couponTemplateNo?: string
    awardAmount?: string
  }[]
  budget: number
  most: number
  /** Days from now. */
  from: number
  to: number
  words: Words
}

const money = (taskKey: Plan['tasks'][number]['taskKey'], amount: number) => ({
  ...{ taskKey, taskThreshold: 1, awardKind: 'wallet' as const },
  awardAmount: `${amount}.00`,
})

const plansOf = (couponTemplateNo: string) =>
  ({
    festival: {
      ...{ name: 'Sikukuu ya Uhuru', type: 'festival', budget: 900_000, most: 3, from: -60, to: -12 },
      tasks: [money('loans', 2_000), { taskKey: 'on_time', taskThreshold: 1, awardKind: 'coupon', couponTemplateNo }],
      words: {
        zh: '独立日期间借款即得 2,000，按时结清再得优惠券',
        en: 'Borrow around Independence Day and get 2,000; repay on time and get a coupon',
        sw: 'Kopa wakati wa Uhuru upate 2,000; lipa kwa wakati upate kuponi',
      },
    },
    first: {
      ...{ name: 'Karibu', type: 'first_loan', budget: 120_000, most: 1, from: -40, to: 20 },
      tasks: [money('first_loan', 3_000)],
      words: {
        zh: '首笔放款奖励 3,000，送完即止',
        en: '3,000 for your first loan, as long as the budget lasts',
        sw: '3,000 kwa mkopo wako wa kwanza, hadi bajeti iishe',
      },
    },
    invite: {
      ...{ name: 'Alika rafiki', type: 'invite', budget: 300_000, most: 10, from: -45, to: 34 },
      tasks: [money('invite_on_time', 2_000)],
      words: {
        zh: '邀请好友，好友按时结清首贷，您得 2,000',
        en: 'Invite a friend: 2,000 for you when they repay their first loan on time',
        sw: 'Alika rafiki: upate 2,000 akilipa mkopo wake wa kwanza kwa wakati',
      },
    },
    waiting: {
      ...{ name: 'Lipa kwa wakati', type: 'on_time', budget: 1_500_000, most: 5, from: 3, to: 60 },
      tasks: [money('on_time', 1_500)],
      words: {
        zh: '每按时结清一笔借款得 1,500',
        en: '1,500 for each loan repaid on time',
        sw: '1,500 kwa kila mkopo unaolipwa kwa wakati',
      },
    },
  }) satisfies Record<string, Plan>

const write = async (tx: Tx, { hand, maker }: Desk, plan: Plan): Promise<string> => {
  const on = (days: number) => new Date(tx.now.getTime() + days * day).toISOString()
  const { key } = await hand.call(tx, maker, activity.save, {
    activityName: plan.name,
    activityType: plan.type,
    merchantNos: merchants.map(({ merchantNo }) => merchantNo),
    appCodes: merchants.map(({ appName }) => appName),
    startTime: on(plan.from),
    endTime: on(plan.to),
    budgetAmount: `${plan.budget}.00`,
    awardsPerCustomer: plan.most,
    tasks: plan.tasks,
    ruleText: plan.words,
  })
  await tx.flush()
  return String(key)
}

const enable = async (tx: Tx, { hand, maker, second }: Desk, activityNo: string, agreed = true) => {
  const { approvalNo } = await hand.call(tx, maker, activity.state, { activityNo, enabled: true, version: 0 })
  await tx.flush()
  if (agreed && approvalNo) await hand.call(tx, second, common.approve, { approvalNo, version: 0 })
  await tx.flush()
}

/** An activity that was switched on on its first day. */
const begun = async (tx: Tx, desk: Desk, plan: Plan): Promise<string> => {
  const activityNo = await write(tx, desk, plan)
  await enable(at(tx, new Date(tx.now.getTime() + plan.from * day - 1000)), desk, activityNo)
  return activityNo
}

type Event = { event: string; orderNo: string; customerNo: string; merchantNo: string; at: Date }

/** What happened to orders in the time of the activities, in its order. */
const happenedIn = (tx: Tx): Promise<Event[]> =>
  tx.rows(sql<Event>`
    select * from (
      select 'payout.success' as event, order_no, customer_no, merchant_no, payout_time as at from loan_order where payout_time is not null
      union all select 'repay.settled', order_no, customer_no, merchant_no, settled_time from loan_order where settled_time is not null) e
    where e.at > ${tx.now}::timestamptz - interval '60 days' order by e.at, e.order_no, e.event limit 900`)

/** Friends who repaid their first loan on time were invited by those who had borrowed before; two share a device. */
const writeInvites = async (tx: Tx, activityNo: string): Promise<void> => {
  await tx.exec(sql`
    insert into activity_invite (activity_no, phone, customer_no, merchant_no, invited_time)
    select ${activityNo}, f.phone, i.customer_no, f.merchant_no, f.apply_time - interval '2 days' from (
      select o.merchant_no, mc.phone, o.apply_time, o.customer_no, row_number() over (partition by o.merchant_no order by o.apply_time, o.order_no) as n
      from loan_order o join merchant_customer mc using (customer_no, merchant_no)
      where o.loan_kind = 'first' and o.apply_time > ${tx.now}::timestamptz - interval '43 days' and o.settled_time is not null) f
    join lateral (
      select c.customer_no from (
        select distinct on (o.customer_no) o.customer_no, o.apply_time from loan_order o
        where o.merchant_no = f.merchant_no and o.customer_no <> f.customer_no and o.payout_time is not null order by o.customer_no, o.apply_time) c
      order by c.apply_time, c.customer_no offset f.n % 12 limit 1) i on true
    on conflict do nothing`)
  await tx.exec(sql`
    update loan_order t set device = s.device from (
      select o.order_no, first_value(o.device) over (partition by o.merchant_no order by o.settled_time) as device,
        row_number() over (partition by o.merchant_no order by o.settled_time) as n
      from loan_order o join merchant_customer mc using (customer_no, merchant_no) join activity_invite i on i.phone = mc.phone and i.activity_no = ${activityNo}
      where o.loan_kind = 'first' and o.settled_time is not null) s
    where s.order_no = t.order_no and s.n in (2, 3, 4)`)
}

/** An invite that runs, a festival that is over, one that is out of money and one that waits, with what customers earned by them. */
export const writeActivities = async (tx: Tx): Promise<void> => {
  const module = activityModule()
  const maker = await rightsOfPerson(tx, userNoOf('admin'), 'en')
  const other = await rightsOfPerson(tx, userNoOf('audit.lead'), 'en')
  const perms = new Set([...maker.perms, ...['save', 'enable', 'award'].map(one => `org:taskAward:${one}:check`)])
  const desk: Desk = {
    hand: handFor([module, approvalModule(module.approvals ?? [])]),
    maker,
    second: { ...other, perms, widest: maker.widest },
  }
  const kind = await tx.maybe(sql<{ no: string }>`
    select coupon_template_no as no from coupon_template where enabled = 'enabled' and coupon_type = 'discount_coupon'
    order by budget_amount - issued_amount desc, coupon_template_no limit 1`)
  if (!kind) return
  const plans = plansOf(kind.no)
  await begun(tx, desk, plans.festival)
  await begun(tx, desk, plans.first)
  await writeInvites(tx, await begun(tx, desk, plans.invite))
  await enable(tx, desk, await write(tx, desk, plans.waiting), false)
  for (const { at: moment, ...one } of await happenedIn(tx)) {
    const then = at(tx, new Date(moment))
    const payload = { ...one, at: then.now.toISOString() }
    await awardQueue.handle(then, { jobKey: one.orderNo, payload })
    await tx.flush()
  }
}
