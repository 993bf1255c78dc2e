import { sql } from 'kysely'
import { languages } from '../../../../core/i18n/language.ts'
import type { Tx } from '../../../db/database.ts'
import { violatedConstraint } from '../../../db/faults.ts'
import { checkVersion, invalid, notFound } from '../../../http/fault.ts'
import { type Actor, system } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'
import { ownLanguages } from '../../common/index.ts'

export type Language = {
  languageCode: string
  languageName: string
  sort: number
  flagAttachNo: string | null
  languageStatus: 'draft' | 'enabled' | 'default'
  deletedTime: string | null
  version: number
}

export const hasInterface = (code: string): boolean => (languages as readonly string[]).includes(code)

export const lockLanguage = async (tx: Tx, code: string, seen: number): Promise<Language> => {
  const row = await tx.maybe(
    sql<Language>`select * from language where language_code = ${code} and deleted_time is null for update`,
  )
  if (!row) throw notFound()
  checkVersion(row, seen)
  return row
}

type Values = { languageName: string; sort: number }

/** A code or a name that is there already. */
export const once = async <T>(run: () => Promise<T>): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    const broken = violatedConstraint(error)
    if (broken === 'language_name_once') throw invalid('languageName', 'errors.dataExists')
    if (broken === 'language_pkey') throw invalid('languageCode', 'errors.dataExists')
    throw error
  }
}

/** A new draft. The code of one that was deleted is free again. */
export const addLanguage = async (tx: Tx, code: string, values: Values, actor: Actor): Promise<number> => {
  const touched = { updatedBy: actor.no, updatedTime: tx.now }
  const back = await tx.maybe(sql<{ version: number }>`
    update language set language_name = ${values.languageName}, sort = ${values.sort}, flag_attach_no = null, deleted_time = null,
      updated_by = ${actor.no}, updated_time = ${tx.now}, version = version + 1
    where language_code = ${code} and deleted_time is not null returning version`)
  if (back) return back.version
  const row = { languageCode: code, ...values, createdTime: tx.now, ...touched }
  await create(tx, 'language', row, { event: 'lang.save' }, actor)
  return 0
}

/** Moves a language along; answers its new version. */
export const move = async (
  tx: Tx,
  row: Language,
  event: string,
  actor: Actor,
  set: Record<string, unknown> = {},
): Promise<number> => {
  const touched = { ...set, updatedBy: actor.no, updatedTime: tx.now }
  return (await transition(tx, 'language', row, { event, set: touched }, actor)).version
}

/** Has every open console ask for the languages again. */
export const tellLanguages = (tx: Tx) =>
  tx.exec(sql`
    insert into user_event (user_no, event)
    select distinct user_no, 'language.changed' from session where ended_time is null`)

/** Writes the languages of the program into a database that has none. */
export const writeLanguages = async (tx: Tx): Promise<void> => {
  if (await tx.maybe(sql`select 1 from language limit 1`)) return
  const actor = system('languages at start')
  for (const { code, name, sort, isDefault } of ownLanguages) {
    await addLanguage(tx, code, { languageName: name, sort }, actor)
    const enabled = await move(tx, await lockLanguage(tx, code, 0), 'lang.state', actor)
    if (isDefault) await move(tx, await lockLanguage(tx, code, enabled), 'lang.default', actor)
  }
}

/** Whether a picture is the flag of a language: everybody sees those. */
export const isFlag = async (tx: Tx, uploadNo: string): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from language where flag_attach_no = ${uploadNo}`)) !== undefined
