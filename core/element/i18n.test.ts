import { expect, it } from 'vitest'
import type { Messages } from '../i18n/index.ts'
import { translator, wordsFor } from './i18n.ts'

const words = { 'boot.loading': 'Wait {n} s', 'common.own': '{name}: {place}' } as Partial<Messages>

const tag = 'mkopo-audit-my-audit'

it('speaks the language it was made for, fetched once', async () => {
  const [zh, en] = await Promise.all([wordsFor('zh', tag), wordsFor('en', tag)])
  expect(translator(zh)('boot.retry')).toBe('重试')
  expect(translator(en)('boot.retry')).toBe('Retry')
  expect(translator(en).language).toBe('en')
  expect(await wordsFor('en', tag)).toBe(en)
})

it('fills single braces and takes values literally', () => {
  const t = translator({ language: 'en', words })
  expect(t.maybe('boot.loading', { n: 5 })).toBe('Wait 5 s')
  expect(t.maybe('common.own', { name: '<b>&', place: '{name} $t(boot.retry)' })).toBe('<b>&: {name} $t(boot.retry)')
})

it('puts the words of the host first, and admits what it does not have', async () => {
  const t = translator(await wordsFor('en', tag), { 'boot.retry': 'Once more, {name}' })
  expect(t('boot.retry', { name: 'Ann' })).toBe('Once more, Ann')
  expect(t.maybe('dict.NOTHING.here')).toBeUndefined()
  expect(t.maybe('toString')).toBeUndefined()
})
