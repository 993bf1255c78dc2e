import { type RawBuilder, sql } from 'kysely'
import type { BlockedBy } from '../../../../core/contract/blocked.ts'
import { contract } from '../../../../core/contract/contract.ts'
import { type MessageEvent, valuesOfEvent } from '../../../../core/contract/operation/message-event.ts'
import type { MessageTemplateRow } from '../../../../core/contract/operation/message-template.ts'
import { languages } from '../../../../core/i18n/language.ts'
import { mask } from '../../../../core/rules/mask.ts'
import { updatedName } from '../../../configs/history.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { listed, type Reader } from '../../../lists/listed.ts'
import { orderHolder, scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { type NodeRecord, nodeOf, receiverOf, valuesFor } from '../message-engine/shared.ts'
import { measure } from './measure.ts'
import { readTemplate, templateRule } from './template-store.ts'

const { messageTemplates } = contract
type Frag = RawBuilder<unknown>
const perm = messageTemplates.page.perm as string
const weekMs = 7 * 86_400_000

const containing = (column: Frag, text: string): Frag =>
  sql`lower(${column}) like ${`%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`}`

const columnsFor = (tx: Tx, session: Session): Record<string, Frag> => {
  const week = new Date(tx.now.getTime() - weekMs)
  const used = sql`from message m where m.template_no = x.template_no and m.created_time >= ${week}`
  return {
    pointCode: sql`n.point_code`,
    nodeName: sql`(n.node_name ->> ${session.language})`,
    eventKey: sql`n.event_key`,
    merchantName: sql`mc.merchant_name`,
    updatedBy: updatedName,
    sentIn7Days: sql`(select count(*)::int ${used} and m.send_time is not null)`,
    deliveredRate: sql`(select round(100.0 * count(*) filter (where m.message_status = 'delivered')
      / nullif(count(*) filter (where m.message_status in ('delivered', 'failed', 'no_report')), 0), 1)::float8 ${used})`,
  }
}

const joins = {
  n: sql`join business_node n on n.node_no = x.node_no`,
  mc: sql`left join merchant mc on mc.merchant_no = x.merchant_no`,
  changer: sql`left join app_user changer on changer.user_no = x.updated_by`,
}

const { save, enable, disable, copy } = messageTemplates

/** A text of all merchants is changed by headquarters alone: the buttons of others say so. */
const blockedFor = ({ session }: Reader, rows: readonly Record<string, unknown>[]): BlockedBy[] => {
  const said = { reason: 'errors.headquartersOnly' as const, params: {} }
  const all = Object.fromEntries([save, enable, disable, copy].map(({ audit }) => [String(audit), said]))
  return rows.map(({ merchantNo }) => (merchantNo === null && !session.headquarters ? all : {}))
}

export const templates = listed({
  list: messageTemplates.page,
  source: ({ tx, session }) => ({
    from: sql`message_template x`,
    alias: 'x',
    key: sql`x.template_no`,
    where: templateRule(session, perm),
    joins,
    columns: columnsFor(tx, session),
    filters: {
      pointCode: text => containing(sql`n.point_code`, text),
      templateName: text => sql`(${containing(sql`x.template_name`, text)} or x.template_no = ${text})`,
    },
  }),
  blocked: async (at, rows) => blockedFor(at, rows),
})

const rowOf = async (tx: Tx, session: Session, templateNo: string): Promise<MessageTemplateRow> => {
  const columns = columnsFor(tx, session)
  const asked = Object.entries(columns).map(([name, value]) => sql`${value} as ${sql.ref(name)}`)
  return tx.one(sql<MessageTemplateRow>`
    select x.*, ${sql.join(asked)}, '{}'::jsonb as "blockedBy" from message_template x ${sql.join(Object.values(joins), sql` `)} where x.template_no = ${templateNo}`)
}

type Frozen = { templateVersion: number; title: string | null; content: string; enabledBy: string; enabledTime: string }

const detail = serve(messageTemplates.detail, async ({ tx, session, input: { templateNo } }) => {
  const found = await readTemplate(tx, templateNo, templateRule(session, perm))
  if (!found) throw notFound()
  const versions = await tx.rows(sql<Frozen>`
    select v.template_version, v.title, v.content, coalesce(u.real_name, v.enabled_by) as enabled_by, v.enabled_time
    from message_template_version v left join app_user u on u.user_no = v.enabled_by
    where v.template_no = ${templateNo} order by v.template_version desc limit 50`)
  return {
    row: await rowOf(tx, session, templateNo),
    measured: await measure(tx, found),
    values: [...valuesOfEvent(found.eventKey)],
    versions,
  }
})

type Named = { customerNo: string; merchantNo: string; orderNo: string }

/** The values of an order within the data rule; the name of its customer is hidden but for its ends. */
const valuesOfOrder = async (tx: Tx, session: Session, orderNo: string) => {
  const order = await tx.maybe(sql<Named>`
    select o.order_no, o.customer_no, o.merchant_no from loan_order o
    where o.order_no = ${orderNo} and ${scope(session, { merchant: 'o.merchant_no', holder: orderHolder('o'), perm })}`)
  const receiver = order && (await receiverOf(tx, order))
  if (!order || !receiver) throw notFound()
  return { ...(await valuesFor(tx, receiver, order)), customerName: mask(receiver.customerName) }
}

/** The node that a text is written for. */
export const nodeForText = async (tx: Tx, nodeNo: string): Promise<NodeRecord> => {
  const node = await nodeOf(tx, nodeNo)
  if (!node)
    throw new Fault(
      'validation',
      'validation.wrongValue',
      {},
      { fields: [{ path: 'nodeNo', key: 'validation.wrongValue', params: {} }] },
    )
  return node
}

const preview = serve(messageTemplates.preview, async ({ tx, session, input }) => {
  const { nodeNo, orderNo, ...draft } = input
  const node = await nodeForText(tx, nodeNo)
  const values = orderNo ? await valuesOfOrder(tx, session, orderNo) : {}
  return measure(tx, { ...draft, eventKey: node.eventKey as MessageEvent, contactKind: node.contactKind }, values)
})

type Gap = { gapNo: string; pointCode: string; nodeName: string; channelType: string; language: string }

const gaps = serve(messageTemplates.gaps, async ({ tx, session }) => ({
  list: (await tx.rows(sql<Gap>`
    select n.node_no || ' ' || c.channel || ' ' || l.language as gap_no, n.point_code, n.node_name ->> ${session.language} as node_name,
      c.channel as channel_type, l.language
    from business_node n cross join lateral (select one ->> 'channelType' as channel from jsonb_array_elements(n.channel_order) one) c
      cross join unnest(${[...languages]}::text[]) l (language)
    where n.enabled = 'enabled' and n.deleted_time is null and not exists (
      select 1 from message_template t where t.node_no = n.node_no and t.channel_type = c.channel and t.language = l.language and t.contact_type = 'self' and t.template_status = 'enabled')
    order by n.point_code, c.channel, l.language`)) as never,
}))

type Written = { nodeNo: string; pointCode: string; nodeName: string; eventKey: MessageEvent; channelTypes: string[] }

const nodes = serve(messageTemplates.nodes, async ({ tx, session }) => {
  const rows = await tx.rows(sql<Written>`
    select n.node_no, n.point_code, n.node_name ->> ${session.language} as node_name, n.event_key,
      array(select c ->> 'channelType' from jsonb_array_elements(n.channel_order) c) as channel_types
    from business_node n where n.deleted_time is null order by n.point_code limit 500`)
  return { list: rows.map(({ eventKey, ...row }) => ({ ...row, values: [...valuesOfEvent(eventKey)] })) as never }
})

export const templateReads = [detail, preview, gaps, nodes]
