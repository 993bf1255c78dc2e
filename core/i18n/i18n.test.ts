import { expect, it } from 'vitest'
import { type Language, languageOf, languages } from './language.ts'
import { isKey, messages, text } from './server.ts'

const whole = (key: string) => key.replace(/_(one|other)$/, '')
/** Every text of a language with its key; one that tells one from several has two. */
const texts = (language: Language) =>
  Object.entries(messages[language]).map(([key, words]) => ({ key, whole: whole(key), words }))
const keysOf = (language: Language) => [...new Set(texts(language).map(one => one.whole))].sort()
const keys = keysOf('zh')
/** The places of a text; a name that is kept in each language stands in the words of its own. */
const places = (language: Language, words: string) => {
  const own = `name${language.charAt(0).toUpperCase()}${language.slice(1)}`
  const found = [...words.matchAll(/\{(\w+)/g)].map(([, name]) => (name === own ? 'name' : name))
  return [...new Set(found)].sort().join()
}
const place = /\{\w+\}/g

it.each(['en', 'sw'] as const)('%s has exactly the keys of zh', language => {
  expect(keysOf(language)).toEqual(keys)
})

it.each(['en', 'sw'] as const)('%s has the placeholders of zh', language => {
  const wanted = new Map(texts('zh').map(one => [one.whole, places('zh', one.words)]))
  expect(texts(language).filter(one => places(language, one.words) !== wanted.get(one.whole))).toEqual([])
})

it.each(languages)('%s has both words where a number decides', language => {
  const known = messages[language]
  const forms = texts(language).filter(one => one.key !== one.whole)
  expect(forms.filter(one => !known[`${one.whole}_one`] || !known[`${one.whole}_other`] || known[one.whole])).toEqual(
    [],
  )
})

it.each(languages)('%s has no empty text and no stray brace or space', language => {
  const isWrong = (words: string) => words.trim() !== words || words === '' || /[{}]/.test(words.replace(place, ''))
  expect(texts(language).filter(one => isWrong(one.words))).toEqual([])
})

it.each(['en', 'sw'] as const)('%s contains no Chinese but the name of that language', language => {
  expect(texts(language).filter(one => !one.key.endsWith('.zh') && /\p{Script=Han}/u.test(one.words))).toEqual([])
})

it('fills places and leaves unknown ones visible', () => {
  expect(text('en', 'common.samePerson', { marks: '{b} $t(boot.retry)', b: 'x' })).toContain('{b} $t(boot.retry)')
  expect(text('en', 'common.rowsDone', { n: 3 })).toBe('{done} of 3 rows')
  expect(isKey('boot.retry')).toBe(true)
  expect(isKey('boot.nonsense')).toBe(false)
  expect(text('en', 'boot.retry')).toBe('Retry')
})

it('says the word that goes with one or with more, in each language that tells them apart', () => {
  const hits = (language: (typeof languages)[number], n: string | number) => text(language, 'common.hits', { n })
  expect([0, 1, 2, '1,001'].map(n => hits('en', n))).toEqual(['0 results', '1 result', '2 results', '1,001 results'])
  expect([0, 1, 2].map(n => hits('sw', n))).toEqual(['Matokeo 0', 'Tokeo 1', 'Matokeo 2'])
  expect([1, 2].map(n => hits('zh', n))).toEqual(['共1条', '共2条'])
  expect(text('en', 'validation.tooLong', { max: 1 })).toBe('At most 1 character')
  expect(text('sw', 'common.importRunning', { done: 1, n: 5 })).toBe('Mistari 1 kati ya 5 imeingizwa')
})

/** Limits and sizes that are never one. */
const never = new Set<string>([
  'common.columnWidth',
  'common.importTemplateHint',
  'dict.IMPORT_FAIL.too_many_rows',
  'dict.IMPORT_FAIL.too_wide',
  'errors.attemptsUsed',
  'errors.mfaRefreshes',
  'validation.exportReason',
  'validation.exportTooLong',
  'validation.filePixels',
])

it('no English text has a number before a word that is right for more than one only', () => {
  const plural = /\{(n|m|max|min|days|minutes|rows|done)\} (\w+ )?[a-z]+[^s\W]s\b/
  const wrong = texts('en').filter(one => one.key === one.whole && plural.test(one.words) && !never.has(one.key))
  expect(wrong).toEqual([])
})

it('understands language tags', () => {
  expect(['zh-CN', 'EN', 'sw_TZ', 'fr', '', null].map(languageOf)).toEqual([
    'zh',
    'en',
    'sw',
    undefined,
    undefined,
    undefined,
  ])
})
