import { type RawBuilder, sql } from 'kysely'
import type { MessageEvent } from '../../../../core/contract/operation/message-event.ts'
import { messageTemplate } from '../../../../core/contract/operation/message-template.ts'
import { fill } from '../../../../core/rules/message/template-text.ts'
import { smsParts } from '../../../../core/rules/text/sms-parts.ts'
import type { Tx } from '../../../db/database.ts'
import { newNo } from '../../../money/numbers.ts'
import type { Actor } from '../../../rights/actor.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { create } from '../../../states/transition.ts'
import { sampleValues, type TemplateRecord } from '../message-engine/shared.ts'

type Frag = RawBuilder<unknown>

/** A template with what its node says of it. */
export type TemplateOfNode = TemplateRecord & {
  eventKey: MessageEvent
  pointCode: string
  nodeEnabled: string
  contactKind: string
}

/** Texts `x` that a person sees: those of all merchants are seen by everybody. */
export const templateRule = (session: Session, perm: string): Frag =>
  sql`(x.merchant_no is null or ${scope(session, { merchant: 'x.merchant_no', holder: () => sql`true`, perm })})`

const from = sql`select x.*, n.event_key, n.point_code, n.enabled as node_enabled, n.contact_kind from message_template x join business_node n using (node_no)`

/** A text within the data rule. */
export const readTemplate = (tx: Tx, templateNo: string, rule: Frag) =>
  tx.maybe(sql<TemplateOfNode>`${from} where x.template_no = ${templateNo} and ${rule}`)
/** The same, locked. */
export const lockTemplate = (tx: Tx, templateNo: string, rule: Frag) =>
  tx.maybe(sql<TemplateOfNode>`${from} where x.template_no = ${templateNo} and ${rule} for update of x`)

/** What somebody writes of a text. */
export type Written = {
  templateName: string
  nodeNo: string
  channelType: string
  contactType: string
  language: string
  title?: string | null | undefined
  content: string
  appCode?: string | null | undefined
  merchantNo?: string | null | undefined
}

/** A text with sample values, as it is measured. */
export const sampleText = (content: string): string => fill(content, sampleValues).text ?? content

/** The columns of what was written, the parts of a text message among them. */
export const templateColumns = (given: Written) => ({
  templateName: given.templateName,
  nodeNo: given.nodeNo,
  channelType: given.channelType,
  contactType: given.contactType,
  language: given.language,
  title: given.title ?? null,
  content: given.content,
  appCode: given.appCode ?? null,
  merchantNo: given.merchantNo ?? null,
  segments: ['sms', 'phone_sms'].includes(given.channelType) ? smsParts(sampleText(given.content)).parts : null,
})

/** Writes a text as a draft. */
export const draftTemplate = async (tx: Tx, given: Written, actor: Actor): Promise<string> => {
  const templateNo = newNo('MT', tx.now)
  const touched = { createdBy: actor.no, createdTime: tx.now, updatedBy: actor.no, updatedTime: tx.now }
  const values = { templateNo, ...templateColumns(given), ...touched }
  await create(tx, messageTemplate, values, { event: 'tpl.save' }, actor)
  return templateNo
}

/** Drafts of the texts that an app has of its own, for another app. */
export const copyTemplates = async (
  tx: Tx,
  { nodeNos, fromApp, toApp }: { nodeNos: readonly string[]; fromApp: string; toApp: string },
  actor: Actor,
): Promise<number> => {
  const rows = await tx.rows(sql<TemplateRecord>`
    select * from message_template where node_no = any(${[...nodeNos]}) and app_code = ${fromApp} and template_status = 'enabled' order by template_no`)
  for (const { merchantNo: _, ...row } of rows) await draftTemplate(tx, { ...row, appCode: toApp }, actor)
  return rows.length
}
