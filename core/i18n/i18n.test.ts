import { expect, it } from 'vitest'
import { fill } from './fill.ts'
import { languageOf, languages } from './language.ts'
import { fetchPart, restPart } from './parts.ts'
import { isKey, messages, text } from './server.ts'

const keys = Object.keys(messages.zh).sort() as (keyof typeof messages.zh)[]
const places = (words: string) => [...new Set([...words.matchAll(/\{(\w+)/g)].map(([, name]) => name))].sort()
const place = /\{\w+(:[^{}|]+\|[^{}|]+)?\}/g

it.each(['en', 'sw'] as const)('%s has exactly the keys of zh', language => {
  expect(Object.keys(messages[language]).sort()).toEqual(keys)
})

it.each(['en', 'sw'] as const)('%s has the placeholders of zh', language => {
  const wrong = keys.filter(key => places(messages[language][key]).join() !== places(messages.zh[key]).join())
  expect(wrong).toEqual([])
})

it.each(languages)('%s has no empty text and no stray brace or space', language => {
  const wrong = keys.filter(key => {
    const words = messages[language][key]
    return words.trim() !== words || words === '' || /[{}]/.test(words.replace(place, ''))
  })
  expect(wrong).toEqual([])
})

it.each(['en', 'sw'] as const)('%s contains no Chinese but the name of that language', language => {
  expect(keys.filter(key => !key.endsWith('.zh') && /\p{Script=Han}/u.test(messages[language][key]))).toEqual([])
})

it('loads what the server has', async () => {
  expect(await fetchPart('sw', restPart)).toEqual(messages.sw)
})

it('fills places and leaves unknown ones visible', () => {
  expect(fill('{n} of {total}', { n: 3 })).toBe('3 of {total}')
  expect(fill('{a}', { a: '{b}', b: 'x' })).toBe('{b}')
  expect(isKey('boot.retry')).toBe(true)
  expect(isKey('boot.nonsense')).toBe(false)
  expect(text('en', 'boot.retry')).toBe('Retry')
})

it('says the word that goes with one or with more, in each language that tells them apart', () => {
  const hits = (language: (typeof languages)[number], n: string | number) => text(language, 'common.hits', { n })
  expect([0, 1, 2, '1,001'].map(n => hits('en', n))).toEqual(['0 results', '1 result', '2 results', '1,001 results'])
  expect([0, 1, 2].map(n => hits('sw', n))).toEqual(['Matokeo 0', 'Tokeo 1', 'Matokeo 2'])
  expect([1, 2].map(n => hits('zh', n))).toEqual(['共1条', '共2条'])
  expect(fill('{n:row|rows} of {total}', { total: 1 })).toBe('{n:row|rows} of 1')
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
  expect(keys.filter(key => plural.test(messages.en[key]) && !never.has(key))).toEqual([])
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
