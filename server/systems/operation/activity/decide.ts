import { sql } from 'kysely'
import { activities, activity } from '../../../../core/contract/operation/activity.ts'
import { add, formatMoney, type Money } from '../../../../core/rules/money.ts'
import { requestApproval } from '../../../approval/approval.ts'
import { waitsUntil } from '../../../approval/visible.ts'
import { noteChange } from '../../../configs/history.ts'
import type { Tx } from '../../../db/database.ts'
import { checkVersion, Fault, notFound } from '../../../http/fault.ts'
import { type Call, serve, serveEach } from '../../../http/serve.ts'
import type { ApprovalAction } from '../../../module.ts'
import type { Actor } from '../../../rights/actor.ts'
import { requireEvent, transition } from '../../../states/transition.ts'
import { refuseAward, releaseAward } from './award.ts'
import { awardBlocks } from './award-list.ts'
import { type Activity, type AwardRow, activitySeen, awardSeen, lockActivity } from './store.ts'
import { takeBack } from './take-back.ts'

const perm = activity.reverse.perm as string
type Held = AwardRow & { activityName: string; activityType: string; customerName: string; phone: string }

/** A reward within reach, locked behind its activity. */
const lockAward = async (tx: Tx, awardNo: string, where = sql`true`): Promise<Held> => {
  const found = await tx.maybe(sql<{ activityNo: string }>`
    select a.activity_no from activity_award a where a.award_no = ${awardNo} and ${where}`)
  if (!found) throw notFound()
  await lockActivity(tx, found.activityNo)
  return tx.one(sql<Held>`
    select a.*, x.activity_name, x.activity_type, c.customer_name from activity_award a join activity x using (activity_no) join customer c using (customer_no)
    where a.award_no = ${awardNo} for update of a`)
}

const decide = serveEach(activity.decide, {
  ids: ({ awardNos }) => [...new Set(awardNos)],
  async row(awardNo, call) {
    const { tx, session, input, actor, audit } = call
    const row = await lockAward(tx, awardNo, awardSeen(session))
    await awardBlocks.check(call, activity.decide, awardNo)
    const set = { decideReason: input.reason, decidedBy: actor.name, decidedTime: tx.now }
    const { awardDecision } = input
    if (awardDecision === 'refuse') await refuseAward(tx, row, set, actor)
    else {
      const given = await releaseAward(tx, row, set, actor)
      if ('fail' in given) throw new Fault('stateConflict', 'errors.awardCoupon')
    }
    const after = { awardStatus: awardDecision === 'refuse' ? 'refused' : 'given', reason: input.reason }
    audit({ objectType: 'activityAward', objectNo: awardNo, before: { awardStatus: row.awardStatus }, after })
  },
})

const reverse = serveEach(activity.reverse, {
  ids: ({ awardNos }) => [...new Set(awardNos)],
  async row(awardNo, call) {
    const { tx, session, input, audit } = call
    const row = await lockAward(tx, awardNo, awardSeen(session))
    await awardBlocks.check(call, activity.reverse, awardNo)
    const approvalNo = await requestApproval(call, {
      action: 'activityAward.reverse',
      perm,
      objectType: 'activityAward',
      objectNo: awardNo,
      merchantNo: row.merchantNo,
      version: row.version,
      payload: { reason: input.reason },
      summary: [
        { label: 'fields.activityName', before: row.activityName, after: null },
        { label: 'fields.customerName', before: row.customerName, after: null },
        { label: 'fields.awardKind', before: `dict.AWARD_KIND.${row.awardKind}`, after: null },
        { label: 'fields.awardAmount', before: row.awardAmount, after: null },
        { label: 'fields.reason', before: null, after: input.reason },
      ],
    })
    audit({ objectType: 'activityAward', objectNo: awardNo, after: { reason: input.reason, approvalNo } })
  },
})

export const reverseApproval: ApprovalAction = {
  action: 'activityAward.reverse',
  perm,
  money: true,
  async execute(tx, { objectNo, payload, checker }) {
    const row = await lockAward(tx, objectNo)
    requireEvent('activityAward', row.awardStatus, 'award.reverse')
    const taken = await takeBack(tx, row, { as: 'person', reason: String(payload.reason), by: checker })
    if (!taken) throw new Fault('stateConflict', 'errors.awardSpent')
  },
}

const lockSeen = async ({ tx, session }: Pick<Call, 'tx' | 'session'>, activityNo: string): Promise<Activity> => {
  const seen = await tx.maybe(sql`
    select 1 from activity x where x.activity_no = ${activityNo} and x.deleted_time is null and ${activitySeen(session, budgetPerm)}`)
  if (!seen) throw notFound()
  return lockActivity(tx, activityNo)
}

const budgetPerm = activity.budget.perm as string

const budget = serve(activity.budget, async call => {
  const { tx, input, audit } = call
  const { activityNo, addedAmount, reason } = input
  const row = await lockSeen(call, activityNo)
  checkVersion(row, input.version)
  if (Date.parse(row.endTime) <= tx.now.getTime()) throw new Fault('stateConflict', 'errors.activityOver')
  if (await waitsUntil(tx, { objectType: 'activity', objectNo: activityNo }))
    throw new Fault('stateConflict', 'errors.approvalWaits')
  const approvalNo = await requestApproval(call, {
    action: 'activity.budget',
    perm: budgetPerm,
    objectType: 'activity',
    objectNo: activityNo,
    version: row.version,
    payload: { addedAmount },
    summary: [
      { label: 'fields.activityName', before: row.activityName, after: null },
      {
        label: 'fields.budgetAmount',
        before: `UGX ${formatMoney(row.budgetAmount)}`,
        after: `UGX ${formatMoney(add(row.budgetAmount, addedAmount as Money))}`,
      },
      { label: 'fields.budgetSpent', before: `UGX ${formatMoney(row.budgetSpent)}`, after: null },
      { label: 'fields.reason', before: null, after: reason },
    ],
  })
  audit({ objectType: 'activity', objectNo: activityNo, after: { addedAmount, reason, approvalNo } })
  return { approvalNo }
})

/** More money, with its line in the history; an activity that had stopped for lack of it goes on. */
const addBudget = async (tx: Tx, row: Activity, added: Money, { maker, checker }: { maker: Actor; checker: Actor }) => {
  const { activityNo, budgetAmount: before } = row
  const budgetAmount = add(before, added)
  const set = { budgetAmount, budgetUsedTime: null, updatedBy: maker.no, updatedTime: tx.now }
  const { version } = await transition(tx, activities.machine, row, { event: 'item.update', set }, checker)
  const changes = [{ field: 'budgetAmount', before: JSON.stringify(before), after: JSON.stringify(budgetAmount) }]
  noteChange(tx, activities.machine, { objectNo: activityNo, version, event: 'item.update', changes }, maker)
}

export const budgetApproval: ApprovalAction = {
  action: 'activity.budget',
  perm: budgetPerm,
  money: true,
  async execute(tx, { objectNo, payload, maker, checker }) {
    const row = await lockActivity(tx, objectNo)
    if (Date.parse(row.endTime) <= tx.now.getTime()) throw new Fault('stateConflict', 'errors.activityOver')
    await addBudget(tx, row, String(payload.addedAmount) as Money, { maker, checker })
  },
}

export const decideCalls = [decide, reverse, budget]
