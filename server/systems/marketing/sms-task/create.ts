import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { type AskedTask, typedFrom } from '../../../../core/contract/marketing/sms-task.ts'
import { gt, type Money, mul } from '../../../../core/rules/money.ts'
import { requestApproval } from '../../../approval/approval.ts'
import { json } from '../../../db/json.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { type Call, serve } from '../../../http/serve.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { ApprovalAction } from '../../../module.ts'
import { newNo } from '../../../money/numbers.ts'
import { create, transition } from '../../../states/transition.ts'
import { checkPaid } from '../../merchant/consumption/index.ts'
import { seenBy } from '../user-group/token.ts'
import { budgetLeft, giveBack, priceOfPart, takeBudget, taskMax } from './budget.ts'
import { fillQueue } from './fill.ts'
import { checkAsked, type Previewed, type Sealers, saidOf } from './preview.ts'
import { lockTask } from './task-rows.ts'

const { smsTasks } = contract
const objectType = 'sms_task'
/** How long a preview holds. */
const previewMinutes = 10
const action = 'smsTask.create'
const perm = smsTasks.create.perm as string

/** What was previewed, where that was of late and is what is asked for now. */
const previewed = (
  { session, tx }: Pick<Call, 'session' | 'tx'>,
  { preview }: Sealers,
  input: AskedTask & { previewToken: string; typedCount?: number | undefined },
): Previewed => {
  const seen = seenBy<Previewed>(preview, session.userNo, input.previewToken, {
    now: tx.now,
    minutes: previewMinutes,
  })
  if (!seen || seen.asked !== saidOf(input))
    throw new Fault('stateConflict', 'errors.previewStale', { minutes: previewMinutes })
  if (seen.recipients === 0) throw new Fault('stateConflict', 'errors.nobodyLeft')
  if (seen.recipients >= typedFrom && input.typedCount !== seen.recipients)
    throw invalid('typedCount', 'validation.typedCount', { n: seen.recipients })
  return seen
}

const columnsOf = (input: AskedTask & { taskName: string }) => {
  const { taskName, merchantNo, templateNo, languageMode, audienceSource, userGroupNo = null, ratePerMinute } = input
  const { audienceStatuses, loanKind, memberLevels, settledFrom, settledTo } = input
  const audience = { merchantNo, audienceSource, userGroupNo: input.userGroupNo, audienceStatuses }
  return {
    ...{ taskName, merchantNo, templateNo, languageMode, audienceSource, userGroupNo, ratePerMinute },
    language: languageMode === 'fixed' ? input.language : null,
    audience: json({ ...audience, loanKind, memberLevels, settledFrom, settledTo }),
  }
}

type Sized = { costEstimate: Money; recipients: number; templateName: string }
/** Lets a second person decide about a large task. @returns the number of the request; null for one that is not large */
const askSecond = async (call: Call, taskNo: string, input: { taskName: string; merchantNo: string }, sized: Sized) => {
  const { taskRecipients, taskCost } = await taskMax(call.tx)
  const { costEstimate, recipients, templateName } = sized
  if (recipients <= taskRecipients && !gt(costEstimate, taskCost)) return null
  return requestApproval(call, {
    ...{ action, perm, objectType, objectNo: taskNo, merchantNo: input.merchantNo, version: 0, payload: { taskNo } },
    summary: [
      { label: 'fields.taskName', before: null, after: input.taskName },
      { label: 'fields.templateName', before: null, after: templateName },
      { label: 'fields.recipientCount', before: null, after: String(recipients) },
      { label: 'fields.costEstimate', before: null, after: `UGX ${costEstimate}` },
    ],
  })
}

/** Makes a task as it was previewed; what it will cost is taken out of the budget at once. */
export const createServed = (sealers: Sealers) =>
  serve(smsTasks.create, async call => {
    const { tx, session, actor, input, audit } = call
    const text = await checkAsked({ tx, session, sealer: sealers.group }, input)
    await checkPaid(tx, 'sms_part', input.merchantNo)
    const { parts, recipients } = previewed(call, sealers, input)
    const partPrice = await priceOfPart(tx)
    const costEstimate = mul(partPrice, String(parts))
    const budgetMonth = await takeBudget(tx, costEstimate)
    if (!budgetMonth) throw new Fault('stateConflict', 'errors.smsBudget', { left: await budgetLeft(tx) })
    const taskNo = newNo('SK', tx.now)
    const values = {
      ...{ taskNo, ...columnsOf(input), templateVersion: text.templateVersion, sendTime: input.sendTime ?? tx.now },
      ...{ partPrice, budgetMonth, takenAmount: costEstimate, costEstimate, partsEstimate: parts },
      ...{ createdBy: actor.no, createdTime: tx.now },
    }
    await create(tx, 'smsTask', values, { event: 'sms.create' }, actor)
    await tx.flush()
    const approvalNo = await askSecond(call, taskNo, input, { ...text, costEstimate, recipients })
    if (approvalNo) await tx.exec(sql`update sms_task set awaits_approval = true where task_no = ${taskNo}`)
    await enqueue(tx, fillQueue, taskNo, {})
    audit({ objectType, objectNo: taskNo, after: { taskName: input.taskName, recipients, costEstimate, approvalNo } })
    return { taskNo, approvalNo }
  })

/** A second person lets a large task go, or does not. */
export const createApproval: ApprovalAction = {
  action,
  perm,
  money: false,
  async execute(tx, { objectNo }) {
    await lockTask(tx, objectNo)
    await tx.exec(sql`
      update sms_task set awaits_approval = false, send_time = greatest(send_time, ${tx.now}) where task_no = ${objectNo}`)
  },
  async drop(tx, { objectNo, by }) {
    const task = await lockTask(tx, objectNo)
    const set = { endedTime: tx.now, takenAmount: await giveBack(tx, task, '0.00') }
    await transition(tx, 'smsTask', task, { event: 'sms.cancel', set }, by)
  },
}
