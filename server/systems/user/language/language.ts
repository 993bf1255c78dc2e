import { type RawBuilder, sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { maxMissing } from '../../../../core/contract/user/language.ts'
import { languages } from '../../../../core/i18n/language.ts'
import { messages } from '../../../../core/i18n/server.ts'
import { blocks } from '../../../approval/blocks.ts'
import type { Tx } from '../../../db/database.ts'
import { findUpload } from '../../../files/uploads/store.ts'
import { attachUpload, detachUpload, lockReady } from '../../../files/uploads/stored.ts'
import { Fault, notFound } from '../../../http/fault.ts'
import { type Call, serve } from '../../../http/serve.ts'
import { listed, serveListed } from '../../../lists/listed.ts'
import type { Module } from '../../../module.ts'
import { limitFor } from '../../../rights/scope.ts'
import { addLanguage, hasInterface, type Language, lockLanguage, move, once, tellLanguages } from './store.ts'

type Frag = RawBuilder<unknown>
const { languageConfig } = contract
const labels: Readonly<Record<string, Frag>> = {
  zh: sql`i.label`,
  en: sql`i.label_en`,
  sw: sql`i.label_sw`,
  vi: sql`i.label_vi`,
}
const staffOf = (code: Frag): Frag => sql`
  (select count(distinct s.user_no)::int from session s where s.ended_time is null and s.language = ${code})`
/** The label of item `i` in the language of row `l`. */
const labelOf: Frag = sql`case l.language_code when 'zh' then i.label when 'en' then i.label_en when 'sw' then i.label_sw when 'vi' then i.label_vi end`

type Facts = { code: string; status: Language['languageStatus'] }

const isDefault = () => new Fault('stateConflict', 'errors.languageDefault', {}, { status: 'default' })

const languageBlocks = blocks<Facts>({
  read: async (tx, keys) =>
    new Map(
      (
        await tx.rows(sql<Facts>`
          select language_code as code, language_status as status from language where language_code = any(${[...keys]}) and deleted_time is null`)
      ).map(row => [row.code, row]),
    ),
  states: ({ status }) => ({ language: status }),
  commands: [
    {
      command: languageConfig.state,
      refuses: ({ status }) => (status === 'default' ? isDefault() : null),
    },
    {
      command: languageConfig.setDefault,
      refuses: ({ code, status }) =>
        hasInterface(code) ? null : new Fault('stateConflict', 'errors.languageNoTexts', {}, { status }),
    },
    {
      command: languageConfig.remove,
      refuses: ({ status }) => (status === 'default' ? isDefault() : null),
    },
  ],
})

const page = listed({
  list: languageConfig.page,
  source: () => ({
    from: sql`language l`,
    where: sql`l.deleted_time is null`,
    alias: 'l',
    key: sql`l.language_code`,
    joins: { changer: sql`left join app_user changer on changer.user_no = l.updated_by` },
    columns: {
      interfaceReady: sql`(l.language_code = any(${[...languages]}))`,
      labelShare: sql`coalesce((select floor(100.0 * count(${labelOf}) / nullif(count(*), 0)) from dict_item i where i.deleted_time is null), 0)::int`,
      staffCount: staffOf(sql`l.language_code`),
      updatedBy: sql`coalesce(changer.real_name, l.updated_by)`,
    },
    filters: {
      search: text => {
        const like = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
        return sql`(lower(l.language_name) like ${like} or l.language_code like ${like.slice(1)})`
      },
      enabled: enabled => (enabled ? sql`l.language_status <> 'draft'` : sql`l.language_status = 'draft'`),
    },
  }),
  blocked: languageBlocks,
})

const detail = serve(languageConfig.detail, async ({ tx, input: { languageCode } }) => {
  const found = await tx.maybe(
    sql`select 1 from language where language_code = ${languageCode} and deleted_time is null`,
  )
  if (!found) throw notFound()
  const lacking = sql`i.deleted_time is null and ${labels[languageCode] ?? sql`null::text`} is null`
  const { n } = await tx.one(sql<{ n: number }>`select count(*)::int as n from dict_item i where ${lacking}`)
  const { staff } = await tx.one(sql<{ staff: number }>`select ${staffOf(sql`${languageCode}`)} as staff`)
  const texts = Object.keys(messages.en).length
  return {
    interfaceTexts: texts,
    interfaceMissing: hasInterface(languageCode) ? 0 : texts,
    itemsMissing: n,
    missing: await tx.rows(sql<{ dictType: string; keyValue: string; label: string }>`
      select i.dict_type, i.key_value, i.label from dict_item i where ${lacking} order by i.dict_type, i.key_value limit ${maxMissing}`),
    staffCount: staff,
  }
})

/** What is for everybody is changed by those whose data rule leaves nobody out; to others it is as if it were not there. */
const toChange = async (
  { tx, session }: Pick<Call, 'tx' | 'session'>,
  perm: string | undefined,
  of: Pick<Language, 'languageCode' | 'version'>,
) => {
  if (limitFor(session, perm) !== 'all') throw notFound()
  return lockLanguage(tx, of.languageCode, of.version)
}

/** The picture that was sent takes the place of the one before. */
const putFlag = async ({ tx, actor }: Pick<Call, 'tx' | 'actor'>, row: Language, uploadNo: string) => {
  await lockReady(tx, uploadNo, { purpose: 'flag', userNo: actor.no })
  await attachUpload(tx, uploadNo, 'language', row.languageCode, actor)
  await tx.exec(sql`update language set flag_attach_no = ${uploadNo} where language_code = ${row.languageCode}`)
  const old = row.flagAttachNo
  if (old && (await findUpload(tx, old)).uploadStatus === 'attached') await detachUpload(tx, old, actor)
}

const save = serve(languageConfig.save, async call => {
  const { tx, session, actor, audit } = call
  const { languageCode, version: seen, languageName, sort, flag } = call.input
  if (seen === undefined && limitFor(session, languageConfig.save.perm) !== 'all')
    throw new Fault('forbidden', 'errors.forbidden')
  const values = { languageName, sort }
  const before =
    seen === undefined ? null : await toChange(call, languageConfig.save.perm, { languageCode, version: seen })
  const version = await once(async () => {
    if (!before) return addLanguage(tx, languageCode, values, actor)
    const now = await tx.one(sql<{ version: number }>`
      update language set language_name = ${languageName}, sort = ${sort}, updated_by = ${actor.no}, updated_time = ${tx.now}, version = version + 1
      where language_code = ${languageCode} returning version`)
    return now.version
  })
  if (flag) await putFlag(call, await lockLanguage(tx, languageCode, version), flag)
  if (before && before.languageStatus !== 'draft') await tellLanguages(tx)
  audit({
    objectType: 'language',
    objectNo: languageCode,
    before: before && { languageName: before.languageName, sort: before.sort },
    after: { ...values, ...(flag ? { flagAttachNo: flag } : {}) },
  })
  return { languageCode, version }
})

const state = serve(languageConfig.state, async call => {
  const { tx, session, actor, audit, input } = call
  const row = await toChange(call, languageConfig.state.perm, input)
  await languageBlocks.check({ tx, session }, languageConfig.state, row.languageCode)
  const isOn = row.languageStatus !== 'draft'
  if (isOn === input.enabled) return { languageCode: row.languageCode, version: row.version }
  const version = await move(tx, row, 'lang.state', actor)
  await tellLanguages(tx)
  audit({ objectType: 'language', objectNo: row.languageCode, before: { enabled: isOn }, after: { enabled: !isOn } })
  return { languageCode: row.languageCode, version }
})

const oldDefault = (tx: Tx) =>
  tx.maybe(sql<Language>`select * from language where language_status = 'default' for update`)

const setDefault = serve(languageConfig.setDefault, async call => {
  const { tx, session, actor, audit, input } = call
  const before = await oldDefault(tx)
  const row = await toChange(call, languageConfig.setDefault.perm, input)
  await languageBlocks.check({ tx, session }, languageConfig.setDefault, row.languageCode)
  if (before) await move(tx, before, 'lang.demote', actor)
  const version = await move(tx, row, 'lang.default', actor)
  await tellLanguages(tx)
  audit({
    objectType: 'language',
    objectNo: row.languageCode,
    before: { default: before?.languageCode ?? null },
    after: { default: row.languageCode },
  })
  return { languageCode: row.languageCode, version }
})

const remove = serve(languageConfig.remove, async call => {
  const { tx, session, actor, audit, input } = call
  const row = await toChange(call, languageConfig.remove.perm, input)
  await languageBlocks.check({ tx, session }, languageConfig.remove, row.languageCode)
  await move(tx, row, 'lang.delete', actor, { deletedTime: tx.now })
  audit({ objectType: 'language', objectNo: row.languageCode, before: { languageName: row.languageName } })
  return {}
})

/** The languages that customers and staff are offered. */
export const languageModule = (): Module => ({
  served: [serveListed(page), detail, save, state, setDefault, remove],
  lists: [page],
})
