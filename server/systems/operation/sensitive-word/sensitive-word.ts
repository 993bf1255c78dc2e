import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import {
  type ImportedWord,
  importedWord,
  scopes,
  sensitiveWords,
} from '../../../../core/contract/operation/sensitive-word.ts'
import {
  normalWord,
  outcomeOf,
  replaced,
  searcher,
  type WordAction,
  wordsIn,
} from '../../../../core/rules/text/sensitive-words.ts'
import { addDays, startOfEatDay } from '../../../../core/rules/time.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { imported, KnownRow, type RowCall } from '../../../files/imports/store.ts'
import { Fault, invalid, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { listed, serveListed } from '../../../lists/listed.ts'
import type { Module } from '../../../module.ts'
import { hitsIn } from './guard.ts'

const { sensitiveWord } = contract
type Values = Record<string, unknown>
type Sums = OutputOf<typeof sensitiveWord.hitSums>

const shownDays = 30

/** Forms of words that are there already. */
const known = async (tx: Tx, words: readonly string[]): Promise<Set<string>> => {
  const rows = await tx.rows(sql<{ normalWord: string }>`
    select normal_word from sensitive_word where deleted_time is null and normal_word = any(${words.map(normalWord)})`)
  return new Set(rows.map(row => row.normalWord))
}

/** Announcements that staff read or will read and that hold one of the words. */
const usedIn = async (tx: Tx, words: readonly string[]): Promise<string[]> => {
  const search = searcher(words.map(word => ({ wordNo: word, word, wordAction: 'block' as const })))
  const texts = await tx.rows(sql<{ name: string; text: string }>`
    select coalesce(title_en, title_zh, title_sw) as name,
      concat_ws(' ', title_zh, title_en, title_sw, content_zh, content_en, content_sw) as text
    from announcement where announcement_status in ('scheduled', 'published') order by start_time desc limit 500`)
  return texts.filter(({ text }) => search(text.replace(/<[^>]*>/g, ' ')).length).map(({ name }) => name)
}

const isUsed = async (tx: Tx, words: readonly string[], values: Values) =>
  (values.scopes as string[]).includes('announcement') ? usedIn(tx, words) : []

const config = serveConfig(sensitiveWords, {
  prefix: 'SW',
  unique: 'newWords',
  derived: ({ word }) => (typeof word === 'string' ? { normalWord: normalWord(word) } : {}),
  made: async ({ tx }, { newWords, ...form }) => {
    const words = wordsIn(String(newWords))
    const there = await known(tx, words)
    const fresh = words.filter(word => !there.has(normalWord(word)))
    return { rows: fresh.map(word => ({ word, ...form })), existing: words.length - fresh.length }
  },
  async check({ tx, input }, form, before) {
    if (before && before.enabled !== 'enabled') return
    const words = before ? [String(before.word)] : wordsIn(String(form.newWords))
    const names = await isUsed(tx, words, form)
    if (names.length && !input.confirmUsed)
      throw new Fault(
        'needsConfirmation',
        'errors.wordsUsed',
        { names: names.slice(0, 5).join(', ') },
        { confirm: ['confirmUsed'] },
      )
  },
  // What was confirmed is in use somewhere: it waits for the texts to be changed.
  startsEnabled: ({ input }) => !input.confirmUsed,
  source: ({ tx }) => ({
    joins: {
      used: sql`left join (select word_no, count(*) filter (where hit_time >= ${startOfEatDay(addDays(tx.today, 1 - shownDays))})::int as hits, max(hit_time) as last_time
        from sensitive_word_hit group by word_no) used on used.word_no = x.word_no`,
    },
    columns: { hitCount: sql`coalesce(used.hits, 0)`, lastHitTime: sql`used.last_time`, scope: sql`x.scopes` },
    filters: {
      word: (text: string) => sql`x.normal_word like ${`%${normalWord(text).replace(/[\\%_]/g, '\\$&')}%`}`,
      scope: (values: readonly string[]) => (values.length ? sql`x.scopes && ${[...values]}::text[]` : null),
    } as never,
  }),
})

const hits = listed({
  list: sensitiveWord.hits,
  source: () => ({
    from: sql`sensitive_word_hit h`,
    alias: 'h',
    key: sql`h.hit_no`,
    where: sql`true`,
    joins: { u: sql`left join app_user u on u.user_no = h.user_no` },
    columns: { realName: sql`coalesce(u.real_name, h.user_no)` },
  }),
})

const hitSums = serve(sensitiveWord.hitSums, async ({ tx, input }) => {
  const { wordNo } = input
  if (!(await tx.maybe(sql`select 1 from sensitive_word where word_no = ${wordNo}`))) throw notFound()
  const since = startOfEatDay(addDays(tx.today, 1 - shownDays))
  const days = await tx.rows(sql<Sums['days'][number]>`
    select (hit_time at time zone 'Africa/Kampala')::date as date, count(*)::int as count
    from sensitive_word_hit where word_no = ${wordNo} and hit_time >= ${since} group by 1 order by 1`)
  const people = await tx.rows(sql<Sums['people'][number]>`
    select h.user_no, coalesce(max(u.real_name), h.user_no) as real_name, count(*)::int as count
    from sensitive_word_hit h left join app_user u on u.user_no = h.user_no
    where h.word_no = ${wordNo} and h.hit_time >= ${since} group by h.user_no order by count(*) desc, h.user_no limit 50`)
  return { days, people }
})

const test = serve(sensitiveWord.test, async ({ tx, input }) => {
  const found = await hitsIn(tx, input.scope, input.text)
  const outcome = outcomeOf(found)
  return {
    outcome,
    replaced: outcome === 'replace' ? replaced(input.text, found) : null,
    matches: found.map(({ word, start, end }) => ({
      word: word.word,
      category: word.category as (typeof sensitiveWords.row.shape.category)['_zod']['output'],
      wordAction: word.wordAction,
      start,
      end,
    })),
  }
})

const scopesOf = (text: string) => {
  const named = text
    .split(/[;；]/)
    .map(one => one.trim())
    .filter(Boolean)
  const wrong = named.length === 0 || named.some(one => !(scopes.values as readonly string[]).includes(one))
  if (wrong) throw invalid('scopes', 'validation.scopesUnknown', { names: scopes.values.join(', ') })
  return [...new Set(named)]
}

/** A word of a file. A file cannot say what a word is replaced by: such words are added by hand. */
const take = async (call: RowCall, row: ImportedWord): Promise<string> => {
  if ((row.action as WordAction) === 'replace') throw invalid('action', 'validation.replaceByHand')
  const values = {
    word: row.word,
    wordLanguage: row.language,
    category: row.category,
    scopes: scopesOf(row.scopes),
    wordAction: row.action,
    replacement: null,
  }
  if ((await known(call.tx, [row.word])).size) throw new KnownRow('validation', 'errors.dataExists')
  const used = await isUsed(call.tx, [row.word], values)
  return config.add(call, values, used.length === 0)
}

/** Words that no text of staff or of a campaign may hold, what was written with them, and a place to try a text. */
export const sensitiveWordModule = (): Module => ({
  served: [...config.served, serveListed(hits), hitSums, test],
  lists: [...config.lists, hits],
  imports: [imported({ list: sensitiveWord.page, schema: importedWord, row: take })],
})
