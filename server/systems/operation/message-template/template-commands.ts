import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { ParsedOf } from '../../../../core/contract/endpoint.ts'
import { messageTemplate } from '../../../../core/contract/operation/message-template.ts'
import type { Key } from '../../../../core/i18n/index.ts'
import type { Tx } from '../../../db/database.ts'
import { violatedConstraint } from '../../../db/faults.ts'
import { checkVersion, Fault, invalid, notFound } from '../../../http/fault.ts'
import { type Call, serve } from '../../../http/serve.ts'
import type { Session } from '../../../session/session.ts'
import { changes } from '../../../states/changes.ts'
import { requireEvent, transition } from '../../../states/transition.ts'
import { sampleValues } from '../message-engine/shared.ts'
import { measure } from './measure.ts'
import { sendTest } from './send-test.ts'
import { nodeForText } from './template-list.ts'
import {
  draftTemplate,
  lockTemplate,
  readTemplate,
  type TemplateOfNode,
  templateColumns,
  templateRule,
  type Written,
} from './template-store.ts'

const { messageTemplates } = contract
type Asked = { templateNo: string; version: number }
const objectType = 'message_template'

/** A text of all merchants is changed by headquarters alone. */
const checkOwner = (session: Session, merchantNo: string | null | undefined) => {
  if (merchantNo == null && !session.headquarters) throw new Fault('forbidden', 'errors.headquartersOnly')
}

const held = async (call: Call<Asked>, perm: string | undefined): Promise<TemplateOfNode> => {
  const { tx, session, input } = call
  const row = await lockTemplate(tx, input.templateNo, templateRule(session, perm as string))
  if (!row) throw notFound()
  checkOwner(session, row.merchantNo)
  return row
}

/** The channel is one of the node's; app and merchant are ones that the writer serves. */
const checkPlace = async (tx: Tx, session: Session, { nodeNo, channelType, appCode, merchantNo }: Written) => {
  const node = await nodeForText(tx, nodeNo)
  if (!node.channelOrder.some(one => one.channelType === channelType))
    throw invalid('channelType', 'validation.channelOfNode')
  const rule = templateRule(session, messageTemplates.save.perm as string)
  const [app] = appCode
    ? await tx.rows(sql`select 1 from merchant x where x.app_name = ${appCode} and x.deleted_time is null`)
    : [true]
  if (!app) throw invalid('appCode', 'validation.wrongValue')
  const [merchant] = merchantNo
    ? await tx.rows(sql`select 1 from merchant x where x.merchant_no = ${merchantNo} and ${rule}`)
    : [true]
  if (!merchant) throw invalid('merchantNo', 'validation.wrongValue')
}

const touched = ({ tx, actor }: Pick<Call, 'tx' | 'actor'>) => ({ updatedBy: actor.no, updatedTime: tx.now })

const save = serve(messageTemplates.save, async call => {
  const { tx, session, input, actor } = call
  const { templateNo, version = 0, ...written } = input as ParsedOf<typeof messageTemplates.save>
  checkOwner(session, written.merchantNo)
  if (templateNo === undefined) {
    await checkPlace(tx, session, written)
    const made = await draftTemplate(tx, written, actor)
    call.audit({ objectType, objectNo: made, after: written })
    return { templateNo: made, version: 0 }
  }
  const row = await held({ ...call, input: { templateNo, version } }, messageTemplates.save.perm)
  requireEvent(messageTemplate, row.templateStatus, 'tpl.update')
  checkVersion(row, version)
  await checkPlace(tx, session, written)
  const set = { ...templateColumns(written), templateVersion: row.templateVersion + 1, ...touched(call) }
  const moved = await transition(tx, messageTemplate, row, { event: 'tpl.update', set }, actor)
  call.audit({ objectType, objectNo: templateNo, before: { content: row.content, title: row.title }, after: written })
  return { templateNo, version: moved.version }
})

const copy = serve(messageTemplates.copy, async call => {
  const { tx, session, input, actor } = call
  const { templateNo, version, language, appCode, merchantNo } = input
  const row = await readTemplate(tx, templateNo, templateRule(session, messageTemplates.copy.perm as string))
  if (!row) throw notFound()
  checkVersion(row, version)
  checkOwner(session, merchantNo)
  const written = { ...row, language, appCode: appCode ?? null, merchantNo: merchantNo ?? null }
  await checkPlace(tx, session, written)
  await transition(tx, messageTemplate, row, { event: 'tpl.copy' }, actor)
  const made = await draftTemplate(tx, written, actor)
  call.audit({ objectType, objectNo: made, after: { copiedFrom: templateNo, language, appCode, merchantNo } })
  return { templateNo: made }
})

/** Refuses a text that may not go out, with the first thing that is wrong with it. */
const checkText = async (tx: Tx, row: TemplateOfNode) => {
  const { flaws, words } = await measure(tx, row)
  const [flaw] = flaws
  if (flaw) throw invalid('content', flaw.reason as Key, flaw.params)
  if (words.length) throw invalid('content', 'errors.sensitiveWord', { word: words.map(({ word }) => word).join(', ') })
}

const enable = serve(messageTemplates.enable, async call => {
  const { tx, input, actor } = call
  const row = await held(call, messageTemplates.enable.perm)
  requireEvent(messageTemplate, row.templateStatus, 'tpl.enable')
  checkVersion(row, input.version)
  await checkText(tx, row)
  try {
    const moved = await transition(tx, messageTemplate, row, { event: 'tpl.enable', set: touched(call) }, actor)
    const { templateNo, templateVersion, title, content } = row
    await tx.exec(sql`
      insert into message_template_version (template_no, template_version, title, content, enabled_by, enabled_time)
      values (${templateNo}, ${templateVersion}, ${title}, ${content}, ${actor.no}, ${tx.now}) on conflict do nothing`)
    call.audit({ objectType, objectNo: templateNo, ...changes({ templateStatus: row.templateStatus }, moved) })
    return { version: moved.version }
  } catch (error) {
    if (violatedConstraint(error) === 'message_template_place') throw invalid('content', 'errors.dataExists')
    throw error
  }
})

/** Whether a node that is on keeps no other text in the channel and the language of this one. */
const isLast = async (
  tx: Tx,
  { templateNo, nodeNo, nodeEnabled, channelType, language }: TemplateOfNode,
): Promise<boolean> =>
  nodeEnabled === 'enabled' &&
  !(await tx.maybe(sql`
    select 1 from message_template where node_no = ${nodeNo} and channel_type = ${channelType} and language = ${language} and template_status = 'enabled'
      and contact_type = 'self' and template_no <> ${templateNo} limit 1`))

const disable = serve(messageTemplates.disable, async call => {
  const { tx, input, actor } = call
  const row = await held(call, messageTemplates.disable.perm)
  requireEvent(messageTemplate, row.templateStatus, 'tpl.disable')
  checkVersion(row, input.version)
  if (!input.confirmLast && (await isLast(tx, row)))
    throw new Fault('needsConfirmation', 'errors.lastTemplate', { name: row.pointCode }, { confirm: ['confirmLast'] })
  const moved = await transition(tx, messageTemplate, row, { event: 'tpl.disable', set: touched(call) }, actor)
  call.audit({ objectType, objectNo: row.templateNo, ...changes({ templateStatus: row.templateStatus }, moved) })
  return { version: moved.version }
})

const test = serve(messageTemplates.test, async call => {
  const { tx, session, input } = call
  const row = await readTemplate(tx, input.templateNo, templateRule(session, messageTemplates.test.perm as string))
  if (!row) throw notFound()
  if (row.channelType !== 'email' && row.channelType !== 'sms') throw new Fault('stateConflict', 'errors.noTestChannel')
  const { templateNo } = row
  const messageNo = await sendTest(call, { ...row, channel: row.channelType, values: sampleValues })
  call.audit({ objectType, objectNo: templateNo, after: { messageNo } })
  return { messageNo }
})

export const templateCommands = [save, copy, enable, disable, test]
