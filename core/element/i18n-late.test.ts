import { beforeEach, expect, it, vi } from 'vitest'
import type { Messages } from '../i18n/index.ts'
import type { Language } from '../i18n/language.ts'

const fetchPart = vi.fn<(language: Language, part: string) => Promise<Partial<Messages>>>()
vi.mock('../i18n/parts.ts', () => ({
  partsOf: () => ['first'],
  restPart: 'rest',
  everyPart: ['first', 'order', 'rest'],
  fetchPart: (language: Language, part: string) => fetchPart(language, part),
}))

const asked = () => fetchPart.mock.calls.map(([, part]) => part)
const speaking = async () => {
  const { translator, wordsFor } = await import('./i18n.ts')
  return translator(await wordsFor('en', 'mkopo-portal'))
}
beforeEach(() => {
  vi.resetModules()
  fetchPart.mockReset().mockResolvedValue({ 'boot.retry': 'Retry' } as Partial<Messages>)
})

it.each([
  'dict.LOAN_CODE_STATUS.success',
  'screens.mkopo-order-order-detail',
  'machines.order.cancel',
  'afterLoan.cancelPaidReason',
  'afterLoan.approval.payout.cancelPaid',
  'validation.moneyFormat',
])('%s, which data names, is fetched wherever it lies', async key => {
  const t = await speaking()
  expect(t.maybe(key)).toBeUndefined()
  await vi.waitFor(() => expect(asked().sort()).toEqual(['first', 'order', 'rest']))
})

it.each(['Loan management', 'Retry', '贷款管理', 'Once more. Please', 'toString', 'MTN 2.0'])(
  '%s is no name of a text: nothing is fetched for it',
  async words => {
    const t = await speaking()
    expect([t.maybe(words), t('boot.retry')]).toEqual([undefined, 'Retry'])
    await Promise.resolve()
    expect(asked()).toEqual(['first'])
  },
)
