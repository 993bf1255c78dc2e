import { expect, it } from 'vitest'
import { loan } from '../../contract/after-loan/loan.ts'
import { presetOf } from './list-presets.tsx'

const failed = { label: 'audit.todo' as const, filters: { loanCodeStatus: ['failed'] } }
const lately = { label: 'audit.opened' as const, filters: { requestTime: 'last7', loanCodeStatus: ['failed'] } }
const screen = { list: loan.page, start: { requestTime: 'last30' }, presets: [failed, lately] } as never
const of = (filters: Record<string, unknown>) => presetOf(screen, { filters })

it('a quick filter is in force as it stands, and with the date range that the list starts with', () => {
  expect(of({ loanCodeStatus: ['failed'] })).toBe(failed)
  expect(of({ requestTime: 'last30', loanCodeStatus: ['failed'] })).toBe(failed)
})

it('whatever the order in which filters were chosen', () => {
  expect(of({ loanCodeStatus: ['failed'], requestTime: 'last30' })).toBe(failed)
  expect(of({ loanCodeStatus: ['failed'], requestTime: 'last7' })).toBe(lately)
})

it('is not in force beside another range or another filter', () => {
  expect(of({ requestTime: 'today', loanCodeStatus: ['failed'] })).toBeUndefined()
  expect(of({ loanCodeStatus: ['failed'], payoutType: 'wallet' })).toBeUndefined()
  expect(of({ requestTime: 'last30' })).toBeUndefined()
})
