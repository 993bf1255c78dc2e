import { type RawBuilder, sql } from 'kysely'
import { businessConfigs, type SmsTaskMax } from '../../../../core/contract/common/business-config.ts'
import type { Money } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { businessValue } from '../../common/index.ts'
import { offersWait } from '../../operation/message-center/index.ts'
import { costOfPart } from '../../operation/message-template/index.ts'

/** From what size on tasks wait for a second person, and what all of a month may cost. */
export const taskMax = async (tx: Tx): Promise<SmsTaskMax> =>
  (await businessValue(tx, 'SMS_TASK_MAX')) ?? businessConfigs.SMS_TASK_MAX.plain

/** What a part of a text costs: by what vendors charged of late, else as it is set. */
export const priceOfPart = async (tx: Tx): Promise<Money> =>
  (await costOfPart(tx)) ?? (await taskMax(tx)).plainPartPrice

const monthOf = ({ today }: Tx): string => today.slice(0, 7)

/** What may still be spent this month. */
export const budgetLeft = async (tx: Tx): Promise<Money> => {
  const { monthBudget } = await taskMax(tx)
  const { left } = await tx.one(sql<{ left: Money }>`
    select greatest(0, ${monthBudget}::numeric - coalesce((select taken_amount from sms_budget where budget_month = ${monthOf(tx)}), 0))::numeric(18,2) as left`)
  return left
}

/**
 * Takes an amount out of the budget of this month, before anything of it is spent: one statement, so that two tasks at once never take what
 * is there for one.
 * @returns the month it was taken from; null where not enough is left
 */
export const takeBudget = async (tx: Tx, amount: Money): Promise<string | null> => {
  const month = monthOf(tx)
  const { monthBudget } = await taskMax(tx)
  await tx.exec(sql`insert into sms_budget (budget_month) values (${month}) on conflict do nothing`)
  const taken = await tx.exec(sql`
    update sms_budget set taken_amount = taken_amount + ${amount}::numeric
    where budget_month = ${month} and taken_amount + ${amount}::numeric <= ${monthBudget}::numeric`)
  return taken === 1 ? month : null
}

/** Gives back what a task took and did not need. @returns what it keeps */
export const giveBack = async (
  tx: Tx,
  { budgetMonth, takenAmount }: { budgetMonth: string | null; takenAmount: Money },
  spent: Money,
): Promise<Money> => {
  if (budgetMonth === null) return takenAmount
  const { kept } = await tx.one(sql<{ kept: Money }>`
    select least(${takenAmount}::numeric, ${spent}::numeric)::numeric(18,2) as kept`)
  await tx.exec(sql`
    update sms_budget set taken_amount = greatest(0, taken_amount - (${takenAmount}::numeric - ${kept}::numeric)) where budget_month = ${budgetMonth}`)
  return kept
}

/** Whether the money of the vendors keeps a task waiting: they run low, or one has refused a text of it for that. */
export const balanceShort = (taskNo: RawBuilder<unknown>): RawBuilder<unknown> => sql`(${offersWait} or exists (
  select 1 from message m where m.object_type = 'sms_task' and m.object_no = ${taskNo} and m.message_status = 'queued' and m.fail_reason = 'balance'))`
