import { expect, it } from 'vitest'
import { fill } from './fill.ts'
import { languageOf, languages } from './language.ts'
import { fetchPart, restPart } from './parts.ts'
import { isKey, messages, text } from './server.ts'

const keys = Object.keys(messages.zh).sort() as (keyof typeof messages.zh)[]
const places = (words: string) => [...new Set(words.match(/\{\w+\}/g))].sort()

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
    return words.trim() !== words || words === '' || /[{}]/.test(words.replace(/\{\w+\}/g, ''))
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
