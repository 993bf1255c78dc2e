import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { type ImportedCost, importedCost } from '../../../../core/contract/operation/launch.ts'
import { imported } from '../../../files/imports/store.ts'
import { invalid, notFound } from '../../../http/fault.ts'
import { type Call, serve } from '../../../http/serve.ts'
import { dayRange } from '../../../lists/list.ts'
import { listed } from '../../../lists/listed.ts'
import { newNo } from '../../../money/numbers.ts'
import { seenBy } from './source.ts'

const { launch } = contract
type Given = { costDate: string; amount: string; remark: string | null; costSource: 'entered' | 'imported' }
type At = Pick<Call, 'tx' | 'session' | 'actor' | 'audit'>

/** What channels cost by day, amounts that others took the place of among them. */
export const costList = listed({
  list: launch.costs,
  source: ({ session }) => ({
    from: sql`channel_cost e join promotion_channel x on x.channel_no = e.channel_no`,
    alias: 'e',
    key: sql`e.cost_no`,
    where: seenBy(session),
    joins: { u: sql`left join app_user u on u.user_no = e.created_by` },
    columns: {
      channelName: sql`x.channel_name`,
      promotionChannel: sql`x.promotion_channel`,
      createdBy: sql`coalesce(u.real_name, e.created_by)`,
    },
    filters: { costDate: range => dayRange(sql`e.cost_date`, range) },
  }),
})

/** Enters what a channel cost on a day, in the place of what was entered before; the channel's row is locked by the caller. */
const enter = async ({ tx, actor, audit }: At, channelNo: string, { costDate, ...given }: Given) => {
  if (costDate > tx.today) throw invalid('costDate', 'validation.costFuture')
  const before = await tx.maybe(sql<{ costNo: string; amount: string }>`
    update channel_cost set replaced_time = ${tx.now} where channel_no = ${channelNo} and cost_date = ${costDate} and replaced_time is null
    returning cost_no, amount`)
  const costNo = newNo('PC', tx.now)
  await tx.exec(sql`
    insert into channel_cost (cost_no, channel_no, cost_date, amount, remark, cost_source, created_by, created_time)
    values (${costNo}, ${channelNo}, ${costDate}, ${given.amount}, ${given.remark || null}, ${given.costSource}, ${actor.no}, ${tx.now})`)
  await tx.exec(sql`
    insert into channel_stat_daily as s (channel_no, stat_date, cost_mode, unit_price, click_count, register_count, incoming_count, pass_count, paid_out_count, payout_amount,
      first_due_count, first_bad_count, first_paid_count, cost_amount)
    select channel_no, ${costDate}, cost_mode, unit_price, 0, 0, 0, 0, 0, 0, 0, 0, 0, ${given.amount} from promotion_channel where channel_no = ${channelNo}
    on conflict (channel_no, stat_date) do update set cost_amount = excluded.cost_amount`)
  const money = (amount: string) => ({ costDate, amount })
  audit({
    objectType: 'promotion_channel',
    objectNo: channelNo,
    before: before ? money(before.amount) : null,
    after: money(given.amount),
  })
  return { costNo, replaced: before !== undefined }
}

export const costSave = serve(launch.costSave, async call => {
  const { channelNo, costDate, amount, remark } = call.input
  const row = await call.tx.maybe(sql`
    select 1 from promotion_channel x where x.channel_no = ${channelNo} and x.deleted_time is null and ${seenBy(call.session)} for update of x`)
  if (!row) throw notFound()
  return enter(call, channelNo, { costDate, amount, remark: remark ?? null, costSource: 'entered' })
})

const take = async (call: At, { date, channel, amount }: ImportedCost): Promise<string> => {
  const row = await call.tx.maybe(sql<{ channelNo: string }>`
    select x.channel_no from promotion_channel x
    where lower(x.promotion_channel) = lower(${channel}) and x.deleted_time is null and ${seenBy(call.session)} for update of x`)
  if (!row) throw invalid('channel', 'validation.channelUnknown')
  if (date > call.tx.today) throw invalid('date', 'validation.costFuture')
  const { costNo } = await enter(call, row.channelNo, { costDate: date, amount, remark: null, costSource: 'imported' })
  return costNo
}

export const costImport = imported({ list: launch.page, schema: importedCost, row: take })
