import { describe, expect, it } from 'vitest'
import type { Books } from './books.ts'
import { judge, type Movement } from './oracle.ts'

const paid = (externalId: string, amount = '1000.00'): Movement => ({
  kind: 'payout',
  account: 'disbursement',
  externalId,
  serialNo: `S${externalId}`,
  amount,
  code: 'G01',
})
const came = (serialNo: string, amount: string): Movement => ({ ...paid('', amount), kind: 'payIn', serialNo })
const attempt = (externalId: string, o: Partial<Books['attempts'][number]> = {}): Books['attempts'][number] => ({
  externalId,
  orderNo: 'LO1',
  attemptStatus: 'succeeded',
  current: true,
  loanCodeStatus: 'success',
  amount: '1000.00',
  exception: '0.00',
  differs: false,
  ...o,
})
const books = (o: Partial<Books> = {}): Books => ({
  opening: '9000.00',
  bank: '8000.00',
  attempts: [attempt('LC1-1')],
  payouts: [{ orderNo: 'LO1', loanCode: 'LC1', count: 1 }],
  flows: [],
  heard: {},
  ...o,
})
const wrong = (moved: readonly Movement[], given: Partial<Books> = {}) => judge(moved, books(given)).wrong

describe('what moved is what is booked', () => {
  it('agrees with a payout, and with one that is held apart beside it', () => {
    expect(wrong([paid('LC1-1')])).toEqual([])
    const late = attempt('LC1-2', { attemptStatus: 'succeeded', exception: '1000.00', current: false })
    const verdict = judge(
      [paid('LC1-1'), paid('LC1-2')],
      books({ attempts: [attempt('LC1-1'), late], bank: '7000.00' }),
    )
    expect(verdict).toMatchObject({ wrong: [], payouts: 1, exceptions: 1 })
  })

  it('finds an order that we paid twice', () => {
    const twice = [attempt('LC1-1', { current: false }), attempt('LC1-2')]
    expect(wrong([paid('LC1-1'), paid('LC1-2')], { attempts: twice, bank: '7000.00' })).toEqual([
      'LO1 was paid twice by us: LC1-1, LC1-2',
    ])
  })

  it('finds what was paid and counts as failed, and what counts as paid and never moved', () => {
    const failed = attempt('LC1-1', { attemptStatus: 'failed', loanCodeStatus: 'failed' })
    expect(wrong([paid('LC1-1')], { attempts: [failed], payouts: [], bank: '8000.00' })).toEqual([
      'LC1-1 was paid and is failed (G01)',
    ])
    expect(wrong([], { bank: '9000.00' })).toEqual(['LC1-1 is succeeded and never moved'])
  })

  it('leaves a payout open that the network tells wrong amounts of, and money that is only reserved', () => {
    const open = attempt('LC1-1', { attemptStatus: 'unknown', loanCodeStatus: 'unknown', differs: true })
    expect(judge([paid('LC1-1')], books({ attempts: [open], payouts: [] }))).toMatchObject({
      wrong: [],
      openDifferences: 1,
    })
    const sent = attempt('LC1-1', { attemptStatus: 'unknown', loanCodeStatus: 'unknown' })
    expect(wrong([], { attempts: [sent], payouts: [] })).toEqual([])
  })

  it('finds payments that are missing, invented, or booked with another amount', () => {
    const flow = { serialNo: 'N1', amount: '500.00', differs: false }
    expect(wrong([paid('LC1-1'), came('N1', '500.00')], { flows: [flow], bank: '8500.00' })).toEqual([])
    expect(wrong([paid('LC1-1'), came('N1', '500.00')])).toContain('N1 came and is not in the books')
    expect(wrong([paid('LC1-1')], { flows: [flow], bank: '8500.00' })).toContain('N1 is in the books and never came')
    expect(wrong([paid('LC1-1'), came('N1', '400.00')], { flows: [flow], bank: '8500.00' })).toContain(
      'N1 was booked with another amount',
    )
  })

  it('finds a shilling that is missing from the account', () => {
    expect(wrong([paid('LC1-1')], { bank: '7999.00' })).toHaveLength(1)
  })
})
