import { type RawBuilder, sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf, RowOf } from '../../../../core/contract/endpoint.ts'
import { languages } from '../../../../core/i18n/language.ts'
import type { Tx } from '../../../db/database.ts'
import { notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { listed, shownRow } from '../../../lists/listed.ts'
import { marketingText, sampleText } from '../sms-template/measure.ts'
import { balanceShort } from './budget.ts'
import { taskBlocks, taskSeen, waitingMaker } from './task-rows.ts'

const { smsTasks } = contract
type Frag = RawBuilder<unknown>
type Detail = OutputOf<typeof smsTasks.detail>

/** An hour of the marketing day, as it is set. */
const hour = (name: 'marketingFrom' | 'marketingTo', plain: string): Frag =>
  sql`coalesce((select config_value ->> ${name} from business_config where config_key = 'CONTACT_WINDOW'), ${plain})`

const waiting = ({ now }: Tx): Frag => {
  const clock = sql`to_char(${now}::timestamptz at time zone 'Africa/Kampala', 'HH24:MI')`
  return sql`case when x.sms_task_status = 'created' then case when x.awaits_approval then 'approval' when x.filled_time is null then 'filling' else x.held_back end
    when x.sms_task_status = 'sending' then case
      when ${clock} < ${hour('marketingFrom', '08:00')} or ${clock} >= ${hour('marketingTo', '20:00')} then 'hours'
      when ${balanceShort(sql`x.task_no`)} then 'balance' end end`
}

const share = (of: Frag, all: Frag): Frag => sql`round(100.0 * ${of} / nullif(${all}, 0), 1)::float8`

const createdBy: Frag = sql`coalesce((select u.real_name from app_user u where u.user_no = x.created_by), x.created_by)`

/** Tasks with what came of them. */
export const taskList = listed({
  list: smsTasks.page,
  source: ({ tx, session }) => ({
    from: sql`sms_task x`,
    alias: 'x',
    key: sql`x.task_no`,
    where: taskSeen(session),
    joins: {
      m: sql`join merchant m on m.merchant_no = x.merchant_no`,
      t: sql`left join sms_template t on t.template_no = x.template_no`,
    },
    columns: {
      ...{
        customersMatched: sql`x.matched_count`,
        customersLeftOut: sql`x.blocked_count`,
        textsTaken: sql`x.accepted_count`,
      },
      ...{
        textsRefused: sql`x.refused_count`,
        textsArrived: sql`x.delivered_count`,
        textsUnknown: sql`x.unknown_count`,
      },
      ...{ beganTime: sql`x.started_time`, overTime: sql`x.ended_time` },
      merchantName: sql`m.merchant_name`,
      templateName: sql`t.template_name`,
      waitingReason: waiting(tx),
      deliveredShare: share(sql`x.delivered_count`, sql`x.accepted_count`),
      optOutShare: share(sql`x.opt_out_count`, sql`x.delivered_count`),
      createdBy,
      pendingApproval: waitingMaker,
    },
    filters: {
      taskName: (text: string) => sql`lower(x.task_name) like ${`%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`}`,
      createdBy: (people: readonly string[]) =>
        people.length ? sql`(x.created_by = any(${[...people]}) or ${createdBy} = any(${[...people]}))` : null,
    },
  }),
  blocked: taskBlocks,
})

/** Texts of tasks, those that were tried before among them. */
export const messageList = listed({
  list: smsTasks.messages,
  source: ({ session }) => ({
    from: sql`message g join sms_task x on x.task_no = g.object_no and g.object_type in ('sms_task', 'sms_task_tried')`,
    alias: 'g',
    key: sql`g.message_no`,
    where: taskSeen(session),
    columns: {
      taskNo: sql`x.task_no`,
      heldReason: sql`g.block_reason`,
      phone: sql`g.recipient`,
      accountName: sql`g.vendor_name`,
      triedTimes: sql`g.tries`,
      messageCost: sql`g.cost`,
      submitTime: sql`g.send_time`,
    },
    filters: { phone: (phone: string) => sql`g.recipient = ${phone}`, taskNo: (no: string) => sql`x.task_no = ${no}` },
  }),
})

const of = (taskNo: string): Frag => sql`message m where m.object_type = 'sms_task' and m.object_no = ${taskNo}`

const blocksOf = (tx: Tx, taskNo: string) =>
  tx.rows(sql<Detail['blocks'][number]>`
    select block_reason, count(*)::int as count from (
      select r.block_reason from sms_task_recipient r where r.task_no = ${taskNo} and r.block_reason is not null
      union all select m.block_reason from ${of(taskNo)} and m.message_status = 'blocked' and m.block_reason is not null) b
    group by block_reason order by count desc, block_reason`)

const networksOf = (tx: Tx, taskNo: string) =>
  tx.rows(sql<Detail['perNetwork'][number]>`
    select m.network, (count(*) filter (where m.vendor_ref is not null))::int as texts_taken, (count(*) filter (where m.message_status = 'delivered'))::int as texts_arrived,
      (count(*) filter (where m.message_status = 'failed'))::int as failed_count
    from ${of(taskNo)} and m.network is not null group by m.network order by texts_taken desc, m.network`)

const languagesOf = (tx: Tx, taskNo: string) =>
  tx.rows(sql<Detail['perLanguage'][number]>`
    select m.language, count(*)::int as count, (count(*) filter (where m.message_status = 'delivered'))::int as texts_arrived
    from ${of(taskNo)} group by m.language order by count desc, m.language`)

const askedOf = async (tx: Tx, taskNo: string): Promise<Detail['asked']> => {
  const row = await tx.maybe(sql<{
    audience: NonNullable<Detail['asked']>
    languageMode: 'fixed'
    language: 'en' | null
  }>`
    select audience, language_mode, language from sms_task where task_no = ${taskNo} and audience is not null`)
  if (!row) return null
  const { audienceSource, audienceStatuses, loanKind, memberLevels, settledFrom, settledTo } = row.audience
  const chosen = { audienceSource, audienceStatuses, loanKind, memberLevels, settledFrom, settledTo }
  return { ...chosen, languageMode: row.languageMode, language: row.language ?? undefined }
}

type Words = { language: string; content: string; brand: string }

/** The words that were or will be sent, with sample values. */
const contentsOf = async (tx: Tx, taskNo: string): Promise<Detail['contents']> => {
  const rows = await tx.rows(sql<Words>`
    select l.language, l.content, coalesce(m.brand_name, m.merchant_name) as brand from sms_task x
      join merchant m on m.merchant_no = x.merchant_no join sms_template t on t.template_no = x.template_no
      left join sms_template_version v on v.template_no = x.template_no and v.template_version = x.template_version
      cross join lateral (values ('en', coalesce(v.content_en, t.content_en)), ('sw', coalesce(v.content_sw, t.content_sw)),
        ('zh', coalesce(v.content_zh, t.content_zh))) l (language, content)
    where x.task_no = ${taskNo} and l.content is not null and (x.language is null or x.language = l.language)`)
  const { optOutLine } = await marketingText(tx)
  return rows.flatMap(({ language: said, content, brand }) => {
    const language = languages.find(one => one === said)
    return language ? [{ language, messageText: sampleText(content, language, brand, optOutLine[language]) }] : []
  })
}

export const detail = serve(smsTasks.detail, async ({ tx, session, input: { taskNo } }) => {
  const task = await shownRow<RowOf<typeof smsTasks.page>>(taskList, { tx, session }, taskNo)
  if (!task) throw notFound()
  return {
    task,
    blocks: await blocksOf(tx, taskNo),
    perNetwork: await networksOf(tx, taskNo),
    perLanguage: await languagesOf(tx, taskNo),
    asked: await askedOf(tx, taskNo),
    contents: await contentsOf(tx, taskNo),
  }
})
