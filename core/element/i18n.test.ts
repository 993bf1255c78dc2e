import { beforeEach, expect, it, vi } from 'vitest'
import { audit } from '../contract/audit/audit.ts'
import { orderBrief } from '../contract/order/order-brief.ts'
import { languages } from '../i18n/language.ts'
import { messages } from '../i18n/server.ts'

const tag = 'mkopo-audit-my-audit'
const calls = [audit.selfList, audit.open]

/** As a page begins: nothing is fetched yet. */
const page = async () => {
  vi.resetModules()
  return import('./i18n.ts')
}
const missing = vi.spyOn(console, 'error').mockImplementation(() => undefined)
beforeEach(() => missing.mockClear())

it('speaks the language it was made for, fetched once', async () => {
  const { translator, wordsFor } = await page()
  const [zh, en] = await Promise.all([wordsFor('zh', tag, calls), wordsFor('en', tag, calls)])
  expect(translator(zh)('boot.retry')).toBe('重试')
  expect(translator(en)('boot.retry')).toBe('Retry')
  expect(translator(en).language).toBe('en')
  expect(await wordsFor('en', tag, calls)).toBe(en)
})

it('has the words of the calls that the screen declares, and no others', async () => {
  const { translator, wordsFor } = await page()
  const spoken = await wordsFor('en', tag, calls)
  expect(spoken.namespaces).toEqual(['audit/system', 'audit/titles', 'audit/queue', 'work', 'shared'])
  const t = translator(spoken)
  for (const key of [
    'audit.boxTodo',
    `screens.${tag}`,
    'dict.AUDIT_TASK_STATUS.opened',
    'common.search',
    'fields.orderNo',
  ])
    expect(t.maybe(key)).toBe(messages.en[key])
  expect(t.maybe('afterLoan.confirmRollback')).toBeUndefined()
})

it('has the words of dictionaries that another system owns', async () => {
  const { wordsFor } = await page()
  const { namespaces } = await wordsFor('en', 'mkopo-audit-order-management', [audit.manageList])
  expect(namespaces).toEqual([
    'audit/system',
    'audit/titles',
    'audit/order-list',
    'order/system',
    'after-loan/system',
    'work',
    'shared',
  ])
})

it.each(languages)('%s: a history has words for every event of the machines it declares', async language => {
  const { translator, wordsFor } = await page()
  const t = translator(await wordsFor(language, 'mkopo-order-order-detail', [orderBrief.steps]))
  for (const event of ['order.create', 'machine.pass', 'allot', 'task.open', 'audit.pass', 'settle'])
    expect(t.maybe(`machines.${event}`)).toBe(messages[language][`machines.${event}`])
})

it('takes values literally', async () => {
  const { translator, wordsFor } = await page()
  const t = translator(await wordsFor('en', tag, calls), { 'common.search': '{name}: {place}' })
  expect(t('common.search', { name: '<b>&', place: '{name} $t(boot.retry)' })).toBe('<b>&: {name} $t(boot.retry)')
  expect(t('common.search', { name: 'x' })).toBe('x: {place}')
})

it('puts the words of the host first, and admits what it does not have', async () => {
  const { translator, wordsFor } = await page()
  const spoken = await wordsFor('en', tag, calls)
  const t = translator(spoken, { 'boot.retry': 'Once more, {name}', 'common.hits': 'Found {n}' })
  expect(t('boot.retry', { name: 'Ann' })).toBe('Once more, Ann')
  expect(t('common.hits', { n: 1 })).toBe('Found 1')
  expect(translator(spoken)('boot.retry')).toBe('Retry')
  expect(t.maybe('toString')).toBeUndefined()
  expect(t.maybe('MTN 2.0')).toBeUndefined()
  expect(missing).not.toHaveBeenCalled()
})

it.each(['dict.FLOW_STATUS.available', 'screens.mkopo-after-loan-loan-management'])(
  '%s, which data names, is fetched when it is missed, in every language on the page',
  async key => {
    const { translator, wordsFor } = await page()
    const [en, sw] = await Promise.all([wordsFor('en', tag, calls), wordsFor('sw', tag, calls)])
    expect(translator(en).maybe(key)).toBeUndefined()
    const also = { ...en, namespaces: [...en.namespaces, 'after-loan/system', 'after-loan/titles'] }
    await vi.waitFor(() => expect(translator(also).maybe(key)).toBe(messages.en[key]))
    expect(translator({ ...also, language: sw.language }).maybe(key)).toBe(messages.sw[key])
  },
)

it('says once which text is missing', async () => {
  const { translator, wordsFor } = await page()
  const t = translator(await wordsFor('en', tag, calls))
  expect(t('afterLoan.confirmRollback', { n: 1 })).toBe('afterLoan.confirmRollback')
  t('afterLoan.confirmRollback', { n: 1 })
  await vi.waitFor(() => expect(missing).toHaveBeenCalledWith('afterLoan.confirmRollback has no words in en'))
  expect(missing).toHaveBeenCalledTimes(1)
})

it('knows the titles of pages in languages that nobody speaks on the page', async () => {
  const { titlesOf } = await page()
  expect(await titlesOf('sw', [tag, 'mkopo-portal-home'])).toEqual([
    messages.sw[`screens.${tag}`],
    messages.sw['screens.mkopo-portal-home'],
  ])
})
