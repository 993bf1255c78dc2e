import { describe, expect, it } from 'vitest'
import { accountKinds, accounts, keptKinds, readAccount } from './accounts.ts'
import { type Checked, flawOf, type LedgerLine, mirrored } from './check.ts'
import { type PostingCode, type PostingRule, postings } from './postings.ts'

const today = '2026-03-02'
const keys = {
  orderNo: 'LO1',
  customerNo: 'CU1',
  merchantNo: 'M1',
  loanCode: 'LC1',
  repaymentNo: 'RP1',
  billNo: 'BI1',
  flowNo: 'FL1',
}
const dispatched: LedgerLine[] = [
  { account: 'payout_in_flight:LC1', amount: '5.00', ...keys },
  { account: 'bank:FA1', amount: '-5.00', ...keys },
]
const applied: LedgerLine[] = [
  { account: 'suspense:FL1', amount: '5.00', ...keys },
  { account: 'interest_rcv:LO1', amount: '-5.00', component: 'interest', ...keys },
]
const flaw = (code: string, lines: readonly LedgerLine[], valueDate?: string) =>
  flawOf({ code, lines, valueDate } as Checked, today)

/** A line on an account of a kind, as its declaration wants it. */
const line = (kind: keyof typeof accounts, amount: string): LedgerLine => {
  const declared = accounts[kind]
  const of = 'of' in declared ? (declared.of in keys ? keys[declared.of as keyof typeof keys] : 'X1') : undefined
  const component = 'components' in declared ? declared.components[0] : undefined
  return { account: of ? `${kind}:${of}` : kind, amount: amount as never, ...keys, ...(component ? { component } : {}) }
}

describe('every posting', () => {
  const all = Object.entries(postings) as [PostingCode, PostingRule][]

  it.each(all)('%s takes each of its accounts on its side, and refuses every other', (code, rule) => {
    const valueDate = rule.valueDate === 'posting' ? undefined : today
    for (const debit of accountKinds)
      for (const credit of accountKinds) {
        const wrong = flaw(code, [line(debit, '5.00'), line(credit, '-5.00')], valueDate)
        const both = [...rule.debit, ...rule.credit]
        const allowed = rule.inverse
          ? both.includes(debit) && both.includes(credit)
          : rule.debit.includes(debit) && rule.credit.includes(credit)
        expect(wrong?.replace(/ (debit|credit) .*/, '') ?? 'taken', `${debit} to ${credit}`).toBe(
          allowed ? 'taken' : 'does not',
        )
      }
  })

  it.each(all)('%s wants each of its keys, and its value date', (code, rule) => {
    const lines = [line(rule.debit[0] as never, '5.00'), line(rule.credit[0] as never, '-5.00')]
    const valueDate = rule.valueDate === 'posting' ? undefined : today
    for (const key of rule.keys)
      expect(
        flaw(
          code,
          lines.map(({ [key]: _, ...rest }) => rest as LedgerLine),
          valueDate,
        ),
      ).toContain(key)
    if (rule.valueDate === 'posting') expect(flaw(code, lines, '2026-03-01')).toContain('not on 2026-03-01')
    else expect(flaw(code, lines)).toBe('has no value date')
    if (rule.valueDate === 'given') expect(rule.counts).toBeTruthy()
  })

  it('uses every account that there is', () => {
    const explicit: PostingCode[] = ['P15', 'P-REV']
    const used = new Set(
      all.filter(([code]) => !explicit.includes(code)).flatMap(([, rule]) => [...rule.debit, ...rule.credit]),
    )
    expect(accountKinds.filter(kind => !used.has(kind))).toEqual(['other_income', 'other_expense'])
  })
})

describe('a posting is refused', () => {
  it('when nothing is wrong with it, not', () => {
    expect(flaw('P1a', dispatched)).toBeNull()
    expect(flaw('P4', applied, today)).toBeNull()
    expect(flaw('P4', [], today)).toBeNull()
  })

  const [first, second] = applied as [LedgerLine, LedgerLine]
  it.each<[string, string, LedgerLine[], string | undefined, string]>([
    ['of a code that is none', 'P99', dispatched, undefined, 'is not a posting'],
    ['of a code that every object has', 'toString', dispatched, undefined, 'is not a posting'],
    ['that does not add up', 'P4', [first], today, 'does not balance'],
    ['with a line of nothing', 'P4', [...applied, { ...first, amount: '0.00' }], today, 'a line of nothing'],
    ['to an account that is none', 'P4', [{ ...first, account: 'pocket:FL1' }, second], today, 'no account pocket:FL1'],
    ['to an account of nobody', 'P4', [{ ...first, account: 'suspense' }, second], today, 'no account suspense'],
    [
      'to an income of one order',
      'P4',
      [{ ...first, account: 'fee_income:LO1' }, second],
      today,
      'no account fee_income:LO1',
    ],
    ['the wrong way round', 'P4', mirrored(applied), today, 'does not credit suspense'],
    [
      'to the account of another order',
      'P4',
      [first, { ...second, account: 'interest_rcv:LO2' }],
      today,
      'not of the orderNo LO1',
    ],
    ['without a bill', 'P4', [first, { ...second, billNo: undefined }] as LedgerLine[], today, 'has no billNo'],
    [
      'without the part that is paid',
      'P4',
      [first, { ...second, component: undefined }] as LedgerLine[],
      today,
      'no component',
    ],
    [
      'with a part of another account',
      'P4',
      [first, { ...second, component: 'principal' }],
      today,
      'no component principal',
    ],
    ['for a day to come', 'P4', applied, '2026-03-03', 'has not come'],
  ])('%s', (_, code, lines, valueDate, why) => {
    expect(flaw(code, lines, valueDate)).toContain(why)
  })
})

describe('accounts', () => {
  it('are read apart', () => {
    expect(readAccount('principal:LO1')).toEqual({ kind: 'principal', of: 'LO1' })
    expect(readAccount('fee_income')).toEqual({ kind: 'fee_income', of: null })
    for (const none of ['', ':', 'principal:', 'principal', 'fee_income:', 'fee_income:x', 'constructor', 'Bank:1'])
      expect(readAccount(none), none).toBeNull()
  })

  it('of results are not kept, all others are', () => {
    const summed = accountKinds.filter(kind => !keptKinds.includes(kind))
    expect(summed.filter(kind => !/_(income|expense|cost|funds)$/.test(kind))).toEqual([])
    expect(keptKinds.some(kind => /_(income|expense|cost)$/.test(kind))).toBe(false)
  })

  it('are mirrored line by line', () => {
    expect(mirrored(dispatched).map(({ account, amount }) => [account, amount])).toEqual([
      ['payout_in_flight:LC1', '-5.00'],
      ['bank:FA1', '5.00'],
    ])
  })
})
