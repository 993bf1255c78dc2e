import { type Selectable, sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { ParsedOf } from '../../../../core/contract/endpoint.ts'
import { marketingTemplate } from '../../../../core/contract/marketing/sms-template.ts'
import type { Tx } from '../../../db/database.ts'
import { violatedConstraint } from '../../../db/faults.ts'
import type { DB } from '../../../db/types.gen.ts'
import { checkVersion, Fault, invalid, notFound } from '../../../http/fault.ts'
import { type Call, serve } from '../../../http/serve.ts'
import { newNo } from '../../../money/numbers.ts'
import type { Session } from '../../../session/session.ts'
import { changes } from '../../../states/changes.ts'
import { create, requireEvent, transition } from '../../../states/transition.ts'
import { sendTest } from '../../operation/message-template/index.ts'
import { type Contents, checked, contentIn, marketingText, testValues } from './measure.ts'
import { brandOf, templateRule, usesOf } from './template-list.ts'

const { smsTemplates } = contract
/** A text as it is stored. */
export type TemplateRecord = Selectable<DB['smsTemplate']>
type Asked = { templateNo: string; version: number }
const objectType = 'sms_template'

const lockTemplate = async ({ tx, session, input }: Call<{ templateNo: string }>, perm: string | undefined) => {
  const row = await tx.maybe(sql<TemplateRecord>`
    select x.* from sms_template x where x.template_no = ${input.templateNo} and ${templateRule(session, perm as string)} for update`)
  if (!row) throw notFound()
  return row
}

const touched = ({ tx, actor }: Pick<Call, 'tx' | 'actor'>) => ({ updatedBy: actor.no, updatedTime: tx.now })

const checkMerchant = async (tx: Tx, session: Session, merchantNo: string) => {
  const found = await tx.maybe(sql`
    select 1 from merchant x where x.merchant_no = ${merchantNo} and x.deleted_time is null and ${templateRule(session, smsTemplates.save.perm as string)}`)
  if (!found) throw invalid('merchantNo', 'validation.wrongValue')
}

/** The columns of what was written; it is refused where it may not be sent. */
const columnsOf = async (tx: Tx, contents: Contents, merchantNo: string) => {
  const { contentEn, contentSw, contentZh = null } = contents
  const list = await checked(tx, contents, await brandOf(tx, merchantNo))
  return { contentEn, contentSw, contentZh, segments: Math.max(...list.map(one => one.segments)) }
}

/** A name stands once among the texts of a merchant. */
const named = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (violatedConstraint(error) === 'sms_template_name') throw invalid('templateName', 'errors.dataExists')
    throw error
  }
}

type Written = Contents & { templateName: string; merchantNo: string }
const draft = async (call: Pick<Call, 'tx' | 'actor'>, { templateName, merchantNo, ...contents }: Written) => {
  const { tx, actor } = call
  const templateNo = newNo('ST', tx.now)
  const by = { authorNo: actor.no, createdBy: actor.no, createdTime: tx.now, ...touched(call) }
  const values = { templateNo, templateName, merchantNo, ...(await columnsOf(tx, contents, merchantNo)), ...by }
  await named(() => create(tx, marketingTemplate, values, { event: 'tpl.save' }, actor))
  return templateNo
}

const save = serve(smsTemplates.save, async call => {
  const { tx, session, input, actor } = call
  const { templateNo, version = 0, ...written } = input as ParsedOf<typeof smsTemplates.save>
  await checkMerchant(tx, session, written.merchantNo)
  if (templateNo === undefined) {
    const made = await draft(call, written)
    call.audit({ objectType, objectNo: made, after: written })
    return { templateNo: made, version: 0 }
  }
  const row = await lockTemplate({ ...call, input: { templateNo } }, smsTemplates.save.perm)
  requireEvent(marketingTemplate, row.templateStatus, 'tpl.update')
  checkVersion(row, version)
  const { templateName, merchantNo, ...contents } = written
  const set = {
    ...{ templateName, merchantNo, ...(await columnsOf(tx, contents, merchantNo)) },
    ...{ templateVersion: row.templateVersion + 1, authorNo: actor.no, ...touched(call) },
  }
  const moved = await named(() => transition(tx, marketingTemplate, row, { event: 'tpl.update', set }, actor))
  const { contentEn, contentSw, contentZh } = row
  call.audit({ objectType, objectNo: templateNo, before: { contentEn, contentSw, contentZh }, after: written })
  return { templateNo, version: moved.version }
})

/** `Name (2)`, or the first number that no text of the merchant has. */
const freeName = async (tx: Tx, { templateName, merchantNo }: TemplateRecord): Promise<string> => {
  const stem = templateName.replace(/ \(\d+\)$/, '').slice(0, 58)
  const taken = await tx.rows(sql<{ name: string }>`
    select lower(template_name) as name from sms_template where merchant_no = ${merchantNo} and lower(template_name) like ${`${stem.toLowerCase().replace(/[\\%_]/g, '\\$&')} (%`}`)
  const names = new Set(taken.map(({ name }) => name))
  for (let n = 2; ; n++) if (!names.has(`${stem} (${n})`.toLowerCase())) return `${stem} (${n})`
}

const copy = serve(smsTemplates.copy, async (call: Call<Asked>) => {
  const { tx, input, actor } = call
  const row = await lockTemplate(call, smsTemplates.copy.perm)
  checkVersion(row, input.version)
  await transition(tx, marketingTemplate, row, { event: 'tpl.copy' }, actor)
  const { merchantNo, contentEn, contentSw, contentZh } = row
  const made = await draft(call, { merchantNo, contentEn, contentSw, contentZh, templateName: await freeName(tx, row) })
  call.audit({ objectType, objectNo: made, after: { copiedFrom: row.templateNo } })
  return { templateNo: made }
})

const enable = serve(smsTemplates.enable, async call => {
  const { tx, input, actor } = call
  const row = await lockTemplate(call, smsTemplates.enable.perm)
  requireEvent(marketingTemplate, row.templateStatus, 'tpl.enable')
  checkVersion(row, input.version)
  if (row.authorNo === actor.no) throw new Fault('stateConflict', 'errors.ownText')
  // Words that may not be sent, and where links lead, may have changed since it was written.
  const { contentEn, contentSw, contentZh, templateNo, templateVersion, authorNo, merchantNo } = row
  const set = { ...(await columnsOf(tx, row, merchantNo)), enabledBy: actor.no, ...touched(call) }
  const moved = await transition(tx, marketingTemplate, row, { event: 'tpl.enable', set }, actor)
  await tx.exec(sql`
    insert into sms_template_version (template_no, template_version, content_en, content_sw, content_zh, author_no, enabled_by, enabled_time)
    values (${templateNo}, ${templateVersion}, ${contentEn}, ${contentSw}, ${contentZh}, ${authorNo}, ${actor.no}, ${tx.now}) on conflict do nothing`)
  call.audit({ objectType, objectNo: templateNo, ...changes({ templateStatus: row.templateStatus }, moved) })
  return { version: moved.version }
})

/** What keeps texts in force: rules that send them, and tasks that are not over. */
const checkUnused = async (tx: Tx, templateNo: string): Promise<void> => {
  const use = (await usesOf(tx, [templateNo])).get(templateNo)
  if (use) throw new Fault('stateConflict', use.reason, use.params)
}

const disable = serve(smsTemplates.disable, async call => {
  const { tx, input, actor } = call
  const row = await lockTemplate(call, smsTemplates.disable.perm)
  requireEvent(marketingTemplate, row.templateStatus, 'tpl.disable')
  checkVersion(row, input.version)
  await checkUnused(tx, row.templateNo)
  const moved = await transition(tx, marketingTemplate, row, { event: 'tpl.disable', set: touched(call) }, actor)
  call.audit({ objectType, objectNo: row.templateNo, ...changes({ templateStatus: row.templateStatus }, moved) })
  return { version: moved.version }
})

const test = serve(smsTemplates.test, async call => {
  const { tx, session, input } = call
  const row = await tx.maybe(sql<TemplateRecord>`
    select x.* from sms_template x where x.template_no = ${input.templateNo} and ${templateRule(session, smsTemplates.test.perm as string)}`)
  if (!row) throw notFound()
  const { templateNo, templateVersion, merchantNo } = row
  const { language, content } = contentIn(row, input.language)
  const { optOutLine } = await marketingText(tx)
  const messageNo = await sendTest(call, {
    ...{ channel: 'sms', nodeNo: null, templateNo, templateVersion, title: null, language, appCode: null, merchantNo },
    content: `${content.trimEnd()} ${optOutLine[language]}`,
    values: { ...testValues(language), brand: (await brandOf(tx, merchantNo)) ?? '' },
  })
  call.audit({ objectType, objectNo: templateNo, after: { messageNo, language } })
  return { messageNo }
})

export const templateCommands = [save, copy, enable, disable, test]
