import { expect, it } from 'vitest'
import { loan } from '../../contract/after-loan/loan.ts'
import { auditManage } from '../../contract/audit/order-list.ts'
import { suspending, withoutStartRanges } from './default-range.ts'

const orders = { list: auditManage.manageList, start: { applyTime: 'last30' as const } }
const payouts = { list: loan.page, start: { requestTime: 'last30' as const } }

it.each([
  ['an order number', { orderNo: 'LO1' }],
  ['a phone', { phone: '256772000001' }],
])('%s suspends the range that the list starts with, and gives it back', (_, exact) => {
  const searched = suspending(orders, orders.start, { ...orders.start, ...exact })
  expect(searched).toEqual(exact)
  expect(suspending(orders, searched, {})).toEqual(orders.start)
})

it('keeps a range that somebody chose, before the number or with it', () => {
  const chosen = { applyTime: ['2026-01-01', '2026-01-31'] }
  expect(suspending(orders, chosen, { ...chosen, orderNo: 'LO1' })).toEqual({ ...chosen, orderNo: 'LO1' })
  const again = { orderNo: 'LO1', applyTime: 'last30' }
  expect(suspending(orders, { orderNo: 'LO1' }, again)).toEqual(again)
})

it('keeps the range beside other filters', () => {
  const filtered = { ...orders.start, merchantNo: ['M1'], orderStatus: ['settled'] }
  expect(suspending(orders, orders.start, filtered)).toEqual(filtered)
})

it('does not put a range over a quick filter that had none', () => {
  const failed = { loanCodeStatus: ['failed'] }
  expect(suspending(payouts, { ...failed, keyword: 'LC1' }, failed)).toEqual(failed)
})

it('knows the list without the range', () => {
  expect(withoutStartRanges(payouts, { ...payouts.start, payoutType: 'wallet' })).toEqual({ payoutType: 'wallet' })
})
