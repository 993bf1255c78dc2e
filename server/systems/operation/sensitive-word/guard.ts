import { sql } from 'kysely'
import type { TextScope } from '../../../../core/contract/operation/sensitive-word.ts'
import {
  type Hit,
  maxSearched,
  outcomeOf,
  searcher,
  type Watched,
  withoutPersonal,
} from '../../../../core/rules/text/sensitive-words.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'
import type { Call } from '../../../http/serve.ts'
import { newNo } from '../../../money/numbers.ts'

export type SensitiveWord = Watched & { category: string; scopes: readonly TextScope[] }

/** Characters that are kept of a text around a hit. */
const around = 200

/** The search of a process under one state of the words. */
const prepared = new Map<string, ReturnType<typeof searcher<SensitiveWord>>>()

const searchFor = async (tx: Tx, scope: TextScope) => {
  const { stamp } = await tx.one(sql<{ stamp: string }>`
    select count(*) || ' ' || coalesce(sum(version), 0) || ' ' || coalesce(max(updated_time)::text, '') || ' ' || coalesce(min(word_no), '') as stamp
    from sensitive_word where enabled = 'enabled' and deleted_time is null and ${scope} = any(scopes)`)
  const key = `${scope} ${stamp}`
  const known = prepared.get(key)
  if (known) return known
  const words = await tx.rows(sql<SensitiveWord>`
    select word_no, word, word_action, replacement, category, scopes from sensitive_word
    where enabled = 'enabled' and deleted_time is null and ${scope} = any(scopes) order by word_no`)
  const search = searcher(words)
  for (const old of prepared.keys()) if (old.startsWith(`${scope} `)) prepared.delete(old)
  prepared.set(key, search)
  return search
}

/** The words in force for a scope that stand in a text. */
export const hitsIn = async (tx: Tx, scope: TextScope, text: string): Promise<Hit<SensitiveWord>[]> => {
  if (text.length > maxSearched) throw new Fault('validation', 'errors.searchTooLong', { max: maxSearched })
  return (await searchFor(tx, scope))(text)
}

export type Written = {
  scope: TextScope
  text: string
  /** The writer was warned and goes on. */
  confirmed?: boolean | undefined
  /** The record that the text is for. */
  objectType: string
  objectNo: string
}

const note = (tx: Tx, userNo: string, written: Written, { word, start, end }: Hit<SensitiveWord>) => {
  const from = Math.max(0, start - around)
  const shown = withoutPersonal(written.text).slice(from, end + around)
  tx.append('sensitiveWordHit', {
    hitNo: newNo('SH', tx.now),
    wordNo: word.wordNo,
    word: word.word,
    wordAction: word.wordAction,
    scope: written.scope,
    userNo,
    hitTime: tx.now,
    // The word itself is shown as it was written, whatever it looks like.
    hitText: shown.slice(0, start - from) + written.text.slice(start, end) + shown.slice(end - from),
    hitStart: start - from,
    hitEnd: end - from,
    objectType: written.objectType,
    objectNo: written.objectNo,
  })
}

/**
 * Looks through what a member of staff has written. The refusal is to be returned, not thrown, so that the hits stay in the record;
 * a word that only warns is refused with 40002 until the writer confirms it with `confirmWord`.
 */
export const checkText = async (call: Pick<Call, 'tx' | 'session'>, written: Written): Promise<Fault | null> => {
  const { tx, session } = call
  const hits = await hitsIn(tx, written.scope, written.text)
  const outcome = outcomeOf(hits)
  if (outcome === 'pass') return null
  const found = hits.filter(hit => hit.word.wordAction === outcome).map(hit => hit.word.word)
  const word = [...new Set(found)].join(', ')
  if (outcome === 'warn' && !written.confirmed)
    return new Fault('needsConfirmation', 'errors.sensitiveWarn', { word }, { confirm: ['confirmWord'] })
  for (const hit of hits) note(tx, session.userNo, written, hit)
  return outcome === 'block' ? new Fault('validation', 'errors.sensitiveWord', { word }) : null
}
