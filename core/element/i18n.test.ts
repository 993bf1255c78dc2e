import { expect, it } from 'vitest'
import { i18nFor, translator } from './i18n.ts'

const words = { 'boot.loading': 'Wait {n} s', 'common.own': '{name}: {place}' }

it('speaks the language it was made for, one instance each', async () => {
  const [zh, en] = await Promise.all([i18nFor('zh'), i18nFor('en')])
  expect(translator(zh)('boot.retry')).toBe('重试')
  expect(translator(en)('boot.retry')).toBe('Retry')
  expect(translator(en).language).toBe('en')
  expect(await i18nFor('en')).toBe(en)
})

it('fills single braces and takes values literally', async () => {
  const en = await i18nFor('en')
  en.addResourceBundle('en', 'translation', words)
  const t = translator(en)
  expect(t.maybe('boot.loading', { n: 5 })).toBe('Wait 5 s')
  expect(t.maybe('common.own', { name: '<b>&', place: '{name} $t(boot.retry)' })).toBe('<b>&: {name} $t(boot.retry)')
})

it('puts the words of the host first, and admits what it does not have', async () => {
  const t = translator(await i18nFor('en'), { 'boot.retry': 'Once more, {name}' })
  expect(t('boot.retry', { name: 'Ann' })).toBe('Once more, Ann')
  expect(t.maybe('dict.NOTHING.here')).toBeUndefined()
})
