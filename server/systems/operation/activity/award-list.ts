import { type RawBuilder, sql } from 'kysely'
import { activity } from '../../../../core/contract/operation/activity.ts'
import { lt, type Money } from '../../../../core/rules/money.ts'
import { blocks } from '../../../approval/blocks.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'
import { listed } from '../../../lists/listed.ts'
import { noteSearch } from '../../order/order/index.ts'
import { awardSeen } from './store.ts'

type Frag = RawBuilder<unknown>
type Facts = {
  awardNo: string
  awardStatus: string
  awardKind: string
  awardAmount: Money
  couponStatus: string | null
  walletBalance: Money | null
  waits: boolean
}

const waitingMaker: Frag = sql`(
  select p.maker_name from approval p where p.object_type = 'activityAward' and p.object_no = a.award_no and p.approval_status = 'pending' limit 1)`

const read = async (tx: Tx, keys: readonly string[]): Promise<ReadonlyMap<string, Facts>> => {
  const found = await tx.rows(sql<Facts>`
    select a.award_no, a.award_status, a.award_kind, a.award_amount, c.coupon_status, ${waitingMaker} is not null as waits,
      (select e.wallet_balance from wallet_entry e where e.customer_no = a.customer_no order by e.entry_no desc limit 1) as wallet_balance
    from activity_award a left join coupon c on c.coupon_no = a.coupon_no where a.award_no = any(${[...keys]})`)
  return new Map(found.map(facts => [facts.awardNo, facts]))
}

/** Whether its customer has used what was given. */
const isSpent = ({ awardKind, awardAmount, couponStatus, walletBalance }: Facts): boolean =>
  awardKind === 'coupon'
    ? couponStatus !== 'pending' && couponStatus !== 'waiting_used'
    : lt(walletBalance ?? '0.00', awardAmount)

/** Why a reward is not decided about, or not taken back. */
export const awardBlocks = blocks<Facts>({
  read,
  states: ({ awardStatus }) => ({ activityAward: awardStatus }),
  commands: [
    { command: activity.decide },
    {
      command: activity.reverse,
      refuses: (facts, { session }) => {
        if (facts.awardStatus !== 'given') return null
        if (isSpent(facts)) return new Fault('stateConflict', 'errors.awardSpent')
        return facts.waits && session ? new Fault('stateConflict', 'errors.approvalWaits') : null
      },
    },
  ],
})

/** Rewards that customers earned. */
export const awardList = listed({
  list: activity.awards,
  source: ({ session }) => ({
    from: sql`activity_award a join activity x on x.activity_no = a.activity_no`,
    alias: 'a',
    key: sql`a.award_no`,
    where: awardSeen(session),
    joins: {
      c: sql`join order_customer c on c.customer_no = a.customer_no and c.merchant_no = a.merchant_no`,
      m: sql`join merchant m on m.merchant_no = a.merchant_no`,
      t: sql`left join coupon_template t on t.coupon_template_no = a.coupon_template_no`,
    },
    columns: {
      activityName: sql`x.activity_name`,
      customerName: sql`c.customer_name`,
      phone: sql`c.phone`,
      merchantName: sql`m.merchant_name`,
      couponName: sql`t.coupon_name`,
      pendingApproval: waitingMaker,
    },
    // A number leads to its owner: only who may see numbers finds by one.
    filters: { phone: (phone: string) => sql`c.phone = ${phone}` },
  }),
  check: noteSearch,
  blocked: awardBlocks,
})
