import { z } from 'zod'
import { maxSearched, maxWords, wordLength, wordsIn } from '../../rules/text/sensitive-words.ts'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { endpoint, list, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'

const languages = dictionary('WORD_LANGUAGE', ['zh', 'en', 'sw', 'lg'])
const categories = dictionary('SENSITIVE_WORD_CATEGORY', [
  'threat',
  'insult',
  'shame',
  'discrimination',
  'false_claim',
  'personal_data',
  'other',
])
/** Texts that are searched for sensitive words, by where they are written. */
export const scopes = dictionary('TEXT_SCOPE', [
  'sms',
  'whatsapp',
  'email',
  'follow_note',
  'feedback_reply',
  'template',
  'announcement',
])
/** One value of {@link scopes}. */
export type TextScope = (typeof scopes.values)[number]
const actions = dictionary('WORD_ACTION', ['block', 'warn', 'replace'])
const outcomes = dictionary('TEXT_OUTCOME', ['pass', 'block', 'warn', 'replace'])

/** Campaign texts go out over these: only there a word may be replaced, because nobody typed it for one person. */
const marketing: readonly unknown[] = ['sms', 'whatsapp', 'email']

/** Words of a new entry that are too short or too long, or how many there are. */
const wrongWords = (text: string): string | null => {
  const words = wordsIn(text)
  if (words.length === 0) return 'validation.contentEmpty'
  if (words.length > maxWords) return 'validation.tooManyWords'
  const fits = (word: string) => [...word].length >= wordLength.min && [...word].length <= wordLength.max
  return words.every(fits) ? null : 'validation.wordLength'
}

const flaw = (values: Readonly<Record<string, unknown>>): Flaw | null => {
  const wrong = typeof values.newWords === 'string' ? wrongWords(values.newWords) : null
  if (wrong) return { path: 'newWords', message: wrong }
  if (values.wordAction !== 'replace') return null
  if (!values.replacement) return { path: 'replacement', message: 'validation.contentEmpty' }
  const asked = values.scopes as readonly unknown[] | undefined
  return asked?.every(scope => marketing.includes(scope)) === false
    ? { path: 'scopes', message: 'validation.replaceMarketing' }
    : null
}

const chosen = () => z.array(field.dict(scopes)).min(1).max(scopes.values.length)

const ImportedWord = z.object({
  word: field.text(wordLength.max).min(wordLength.min),
  language: field.dict(languages),
  category: field.dict(categories),
  /** Several with semicolons. */
  scopes: field.text(200),
  action: field.dict(actions),
})
export type ImportedWord = z.output<typeof ImportedWord>
/** A row of an imported file. */
export const importedWord = ImportedWord

/** Words that no text of staff or of a campaign may hold. */
export const sensitiveWords = config({
  name: 'sensitiveWord',
  path: '/operation/sensitiveWord',
  area: 'org:sensitiveWord',
  table: 'sensitive_word',
  key: 'wordNo',
  row: {
    word: field.text(wordLength.max),
    wordLanguage: field.dict(languages),
    category: field.dict(categories),
    scopes: chosen(),
    wordAction: field.dict(actions),
    replacement: field.text(wordLength.max).nullable(),
    /** Of the last 30 days. */
    hitCount: field.int(),
    lastHitTime: field.time().nullable(),
  },
  form: {
    wordLanguage: field.dict(languages),
    category: field.dict(categories),
    scopes: chosen(),
    wordAction: field.dict(actions),
    replacement: field.text(wordLength.max).optional(),
  },
  create: { newWords: field.longText(10_000) },
  applies: { replacement: ({ wordAction }) => wordAction === 'replace' },
  flaw,
  confirms: ['confirmUsed'],
  filters: {
    word: field.text(wordLength.max).optional(),
    wordLanguage: z.array(field.dict(languages)).optional(),
    category: z.array(field.dict(categories)).optional(),
    wordAction: z.array(field.dict(actions)).optional(),
    scope: z.array(field.dict(scopes)).optional(),
  },
  sort: ['word', 'hitCount', 'lastHitTime'],
  bulk: true,
  exported: { as: 'sensitiveWords', perm: 'org:sensitiveWord:export' },
  imported: {
    as: 'sensitiveWords',
    perm: 'org:sensitiveWord:import',
    row: ImportedWord,
    key: 'word',
    example: { word: 'mwizi', language: 'sw', category: 'insult', scopes: 'sms;whatsapp;follow_note', action: 'block' },
    maxRows: 5_000,
  },
})

const HitRow = z.object({
  hitNo: field.key(),
  hitTime: field.time(),
  /** Who wrote the text. */
  realName: field.user(),
  scope: field.dict(scopes),
  word: field.text(wordLength.max),
  /** What was written, personal values hidden; `hitStart` and `hitEnd` say where the word stands. */
  hitText: z.string(),
  hitStart: z.int(),
  hitEnd: z.int(),
  wordAction: field.dict(actions),
  /** The record that the text was for. */
  objectNo: field.key().nullable(),
})
export type HitRow = z.output<typeof HitRow>

const days = z.array(z.object({ date: field.date(), count: field.int() }))
const people = z.array(z.object({ userNo: z.string(), realName: field.user(), count: field.int() }))
const perm = 'org:sensitiveWord:page'

/** Calls of sensitive words: those of the config, the hits, and a test of any text. */
export const sensitiveWord = noun('operation/sensitive-word', {
  ...sensitiveWords.calls,
  hits: list('/operation/sensitiveWord/hit/page', {
    perm,
    row: HitRow,
    filters: {
      wordNo: field.key().optional(),
      hitTime: field.dateRange().optional(),
      userNo: z.array(field.user()).optional(),
      scope: z.array(field.dict(scopes)).optional(),
      wordAction: z.array(field.dict(actions)).optional(),
    },
    sort: ['hitTime'],
    defaultSort: '-hitTime',
    exported: { as: 'sensitiveWordHits', perm: 'org:sensitiveWord:export' },
  }),
  /** Hits of a word in the last 30 days: by day, and by who wrote them. */
  hitSums: read('/operation/sensitiveWord/hit/sums', {
    perm,
    input: { wordNo: field.key() },
    output: z.object({ days, people }),
  }),
  /** What would become of a text; nothing is noted. */
  test: endpoint({
    method: 'POST',
    path: '/operation/sensitiveWord/test',
    perm,
    input: z.strictObject({ text: field.longText(maxSearched), scope: field.dict(scopes) }),
    output: z.object({
      outcome: field.dict(outcomes),
      /** The text as it would go out, where words are replaced. */
      replaced: z.string().nullable(),
      matches: z.array(
        z.object({
          word: z.string(),
          category: field.dict(categories),
          wordAction: field.dict(actions),
          start: z.int(),
          end: z.int(),
        }),
      ),
    }),
  }),
})
