import { type RawBuilder, sql } from 'kysely'
import type { BlockedBy } from '../../../../core/contract/blocked.ts'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { marketingValues } from '../../../../core/contract/marketing/marketing-value.ts'
import type { SmsTemplateRow } from '../../../../core/contract/marketing/sms-template.ts'
import type { Tx } from '../../../db/database.ts'
import { notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { listed, type Reader } from '../../../lists/listed.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { measured } from './measure.ts'

const { smsTemplates } = contract
type Frag = RawBuilder<unknown>
type Detail = OutputOf<typeof smsTemplates.detail>
const perm = smsTemplates.page.perm as string

/** Texts `x` that a person sees: those of the merchants that they serve. */
export const templateRule = (session: Session, code: string): Frag =>
  scope(session, { merchant: 'x.merchant_no', holder: () => sql`true`, perm: code })

const nameOf = (column: string) =>
  sql`coalesce((select u.real_name from app_user u where u.user_no = x.${sql.ref(column)}), x.${sql.ref(column)})`
const sent = sql`from message m where m.template_no = x.template_no and m.object_type = 'sms_task'`

const columnsFor = (session: Session): Record<string, Frag> => ({
  merchantName: sql`mc.merchant_name`,
  appName: sql`mc.app_name`,
  mostParts: sql`x.segments`,
  textLanguages: sql`array_remove(array['en', 'sw', case when x.content_zh is not null then 'zh' end], null)`,
  content: sql`left(coalesce(${sql.ref(`x.content_${session.language}`)}, x.content_en), 60)`,
  usedTasks: sql`(select count(distinct m.object_no)::int ${sent})`,
  authorName: nameOf('author_no'),
  enabledBy: nameOf('enabled_by'),
  createdBy: nameOf('created_by'),
})
const joins = { mc: sql`join merchant mc on mc.merchant_no = x.merchant_no` }

const { enable, disable } = smsTemplates

type Use = { templateNo: string; kind: 'rule' | 'task'; name: string }
type Refusal = { reason: 'errors.textInRule' | 'errors.textInTask'; params: { name: string } }

/** What keeps texts in force: a rule that sends them, or a task that is not over. */
export const usesOf = async (tx: Tx, templateNos: readonly string[]): Promise<Map<string, Refusal>> => {
  const nos = sql`any(${[...templateNos]})`
  const uses = await tx.rows(sql<Use>`
    select s ->> 'templateNo' as template_no, 'rule' as kind, r.config_name as name from unrenewed_config r, jsonb_array_elements(r.send_days) s
      where r.enabled = 'enabled' and r.deleted_time is null and s ->> 'templateNo' = ${nos}
    union all
    select r.template_no, 'task', t.task_name from sms_task t join sms_task_recipient r using (task_no)
      where t.sms_task_status in ('created', 'sending') and r.taken_time is null and r.template_no = ${nos}
    union all
    select t.template_no, 'task', t.task_name from sms_task t where t.sms_task_status in ('created', 'sending') and t.template_no = ${nos}`)
  const said = ({ kind, name }: Use): Refusal => ({
    reason: kind === 'rule' ? 'errors.textInRule' : 'errors.textInTask',
    params: { name },
  })
  return new Map(uses.map(use => [use.templateNo, said(use)]))
}

/** Nobody puts in force what they wrote themselves, or takes away what is still sent. */
const blockedFor = async ({ tx, session }: Reader, rows: readonly Record<string, unknown>[]): Promise<BlockedBy[]> => {
  const nos = rows.map(row => String(row.templateNo))
  const own = await tx.rows(sql<{ no: string }>`
    select template_no as no from sms_template where author_no = ${session.userNo} and template_no = any(${nos})`)
  const mine = new Set(own.map(({ no }) => no))
  const used = await usesOf(tx, nos)
  return nos.map(no => {
    const use = used.get(no)
    return {
      ...(mine.has(no) ? { [enable.audit as string]: { reason: 'errors.ownText' as const, params: {} } } : {}),
      ...(use ? { [disable.audit as string]: use } : {}),
    }
  })
}

const containing = (column: Frag, text: string): Frag =>
  sql`lower(${column}) like ${`%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`}`

export const templates = listed({
  list: smsTemplates.page,
  source: ({ session }) => ({
    from: sql`sms_template x`,
    alias: 'x',
    key: sql`x.template_no`,
    where: templateRule(session, perm),
    joins,
    columns: columnsFor(session),
    filters: {
      templateName: text => containing(sql`x.template_name`, text),
      language: languages =>
        languages.every(one => one === 'zh') && languages.length > 0 ? sql`x.content_zh is not null` : null,
      createdBy: people =>
        people.length ? sql`(x.created_by = any(${people}) or ${nameOf('created_by')} = any(${people}))` : null,
    },
  }),
  blocked: blockedFor,
})

const rowOf = async (tx: Tx, session: Session, templateNo: string): Promise<SmsTemplateRow> => {
  const asked = Object.entries(columnsFor(session)).map(([name, value]) => sql`${value} as ${sql.ref(name)}`)
  return tx.one(sql<SmsTemplateRow>`
    select x.*, ${sql.join(asked)}, '{}'::jsonb as "blockedBy" from sms_template x ${sql.join(Object.values(joins), sql` `)} where x.template_no = ${templateNo}`)
}

/** The name under which customers of a merchant know it. */
export const brandOf = async (tx: Tx, merchantNo: string): Promise<string | null> =>
  (
    await tx.maybe(sql<{ brand: string }>`
      select coalesce(brand_name, merchant_name) as brand from merchant where merchant_no = ${merchantNo}`)
  )?.brand ?? null

const detail = serve(smsTemplates.detail, async ({ tx, session, input: { templateNo } }) => {
  const found = await tx.maybe(
    sql`select 1 from sms_template x where x.template_no = ${templateNo} and ${templateRule(session, perm)}`,
  )
  if (!found) throw notFound()
  const row = await rowOf(tx, session, templateNo)
  const versions = await tx.rows(sql<Detail['versions'][number]>`
    select x.template_version, x.content_en, x.content_sw, x.content_zh, ${nameOf('author_no')} as author_name, ${nameOf('enabled_by')} as enabled_by, x.enabled_time
    from sms_template_version x where x.template_no = ${templateNo} order by x.template_version desc limit 50`)
  const uses = await tx.rows(sql<Detail['uses'][number]>`
    select t.task_no, t.task_name, t.created_time, count(*) filter (where m.vendor_ref is not null)::int as texts_sent,
      count(*) filter (where m.message_status = 'delivered')::int as texts_arrived
    from message m join sms_task t on t.task_no = m.object_no
    where m.template_no = ${templateNo} and m.object_type = 'sms_task' group by t.task_no order by t.created_time desc limit 50`)
  return { row, measured: await measured(tx, row, await brandOf(tx, row.merchantNo)), versions, uses }
})

const variables = serve(smsTemplates.variables, async ({ session }) => ({
  list: Object.entries(marketingValues).map(([valueName, value]) => ({
    valueName: valueName as keyof typeof marketingValues,
    example: value.example,
    saidInstead: 'fallback' in value ? value.fallback[session.language] : null,
  })),
}))

/** The brand of a merchant whom the caller serves; none where none is named. @throws notFound */
const merchantSeen = async (tx: Tx, session: Session, merchantNo: string | undefined): Promise<string | null> => {
  if (merchantNo === undefined) return null
  const found = await tx.maybe(
    sql`select 1 from merchant x where x.merchant_no = ${merchantNo} and ${templateRule(session, perm)}`,
  )
  if (!found) throw notFound()
  return brandOf(tx, merchantNo)
}

const measure = serve(smsTemplates.measure, async ({ tx, session, input: { merchantNo, ...contents } }) => ({
  list: await measured(tx, contents, await merchantSeen(tx, session, merchantNo)),
}))

export const templateReads = [variables, detail, measure]
