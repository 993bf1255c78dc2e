import { describe, expect, it } from 'vitest'
import { payoutFailTypes } from '../../../core/contract/after-loan/loan.ts'
import { groupOutcomeOf, groupStatuses, outcomeOf, paymentStatuses, rejectReasons } from './outcomes.ts'
import type { PaymentAnswer } from './pain-002.ts'

const answer = (o: Partial<PaymentAnswer> = {}): PaymentAnswer => ({
  externalId: 'LC1-1',
  status: 'ACSC',
  reasons: { codes: [], text: '' },
  serialNo: 'FT1',
  ...o,
})
const rejected = (...codes: string[]) => outcomeOf(answer({ status: 'RJCT', reasons: { codes, text: 'why' } }))

describe('one payment', () => {
  it.each([
    ['ACSC', 'success'],
    ['RJCT', 'failure'],
    ['ACCP', 'pending'],
    ['ACSP', 'pending'],
    ['PDNG', 'pending'],
  ])('%s is %s', (status, kind) => {
    expect(outcomeOf(answer({ status })).kind).toBe(kind)
  })

  it.each(['ACTC', 'ACWC', 'RCVD', 'PART', 'CANC', 'acsc', 'toString', '__proto__'])('%s is unknown', status => {
    expect(outcomeOf(answer({ status }))).toEqual({ kind: 'unknown', answerCode: status })
  })

  it('knows no further word', () => {
    expect(Object.keys(paymentStatuses)).toEqual(['ACSC', 'RJCT', 'ACCP', 'ACSP', 'PDNG'])
  })

  it('is paid only with the number of the bank', () => {
    expect(outcomeOf(answer())).toEqual({ kind: 'success', serialNo: 'FT1' })
    const { serialNo: _, ...bare } = answer()
    expect(outcomeOf(bare)).toEqual({ kind: 'unknown', answerCode: 'ACSC NO_SERIAL' })
  })

  it('brings the amount along, whatever it says', () => {
    for (const status of Object.keys(paymentStatuses))
      expect(outcomeOf(answer({ status, amount: '5.00' })).amount).toBe('5.00')
  })

  it('in another currency says nothing', () => {
    expect(outcomeOf(answer({ currency: 'UGX' })).kind).toBe('success')
    expect(outcomeOf(answer({ currency: 'USD' }))).toEqual({ kind: 'unknown', answerCode: 'CURRENCY USD' })
  })
})

describe('a refusal', () => {
  it.each(Object.entries(rejectReasons))('for %s is %s', (code, type) => {
    const outcome = rejected(code)
    if (type === 'duplicate') expect(outcome).toEqual({ kind: 'unknown', answerCode: code })
    else expect(outcome).toEqual({ kind: 'failure', failType: type, answerCode: code, answerMessage: 'why' })
  })

  it('has only types that screens know', () => {
    const known: readonly string[] = [...payoutFailTypes.values, 'duplicate']
    expect(Object.values(rejectReasons).filter(type => !known.includes(type))).toEqual([])
  })

  it.each(['AC99', 'ac04', '', 'constructor'])('for %j, which nobody knows, is unknown', code => {
    expect(rejected(code).kind).toBe('unknown')
  })

  it('for several reasons is one only where all are known; a duplicate among them may run', () => {
    expect(rejected('AC04', 'AM02')).toMatchObject({ kind: 'failure', failType: 'payee_invalid' })
    expect(rejected('AC04', 'X9')).toMatchObject({ kind: 'unknown', answerCode: 'AC04 X9' })
    expect(rejected('AC04', 'AM05').kind).toBe('unknown')
  })

  it('without a reason is one all the same', () => {
    expect(outcomeOf(answer({ status: 'RJCT' }))).toEqual({
      kind: 'failure',
      failType: 'other',
      answerCode: 'RJCT',
      answerMessage: 'RJCT',
    })
  })
})

describe('the file as a whole', () => {
  const group = (status: string | null, ...codes: string[]) => groupOutcomeOf({ status, reasons: { codes, text: '' } })

  it('accepted: every payment is with the bank', () => {
    expect(group('ACTC')).toEqual({ kind: 'pending', answerCode: 'ACTC' })
  })

  it('refused for its form: nothing of it was paid, and no other would be', () => {
    expect(group('RJCT', 'FF01')).toMatchObject({ kind: 'failure', failType: 'config' })
  })

  it('refused because its number was there before: the first copy may run', () => {
    expect(group('RJCT', 'DU01')).toEqual({ kind: 'unknown', answerCode: 'DU01' })
  })

  it.each([null, 'PART', 'ACSC', 'ACCP', 'toString'])('%s says nothing of payments that are not named', status => {
    expect(group(status)).toBeNull()
  })

  it('knows no further word', () => {
    expect(Object.keys(groupStatuses)).toEqual(['ACTC', 'RJCT'])
  })
})
