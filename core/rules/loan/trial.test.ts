import { describe, expect, it } from 'vitest'
import { isKey } from '../../i18n/server.ts'
import { applyLines, remaining } from './bill.ts'
import { amounts, amountsOf } from './components.ts'
import { bill, installments, orderOf, singleBill } from './fixtures/samples.ts'
import { type TrialOrder, type TrialRequest, trial } from './trial.ts'

const ask = (businessDate: string, amount: string | string[], more: Partial<TrialRequest> = {}): TrialRequest => ({
  repayType: 'settle',
  valueDate: businessDate,
  businessDate,
  amounts: [amount].flat(),
  ...more,
})

/** An order of 200,000 due 202,240 on 15 March. */
const inTime = orderOf(singleBill(), '200000.00', '2026-03-10')
/** The same, five days late: four days of 1,011.20 after one of grace. */
const late = orderOf(singleBill(), '200000.00', '2026-03-20')

describe('settling', () => {
  it('takes exactly what is due', () => {
    expect(trial(inTime, ask('2026-03-10', ['200000.00', '2240.00']))).toEqual({
      due: amounts({ principal: '200000.00', interest: '2240.00' }),
      outstanding: '202240.00',
      settleAmount: '202240.00',
      extension: expect.objectContaining({ amount: '22240.00', newDueDate: '2026-03-22' }),
      amount: '202240.00',
      allocation: [
        { billNo: 'B1', component: 'interest', amount: '2240.00' },
        { billNo: 'B1', component: 'principal', amount: '200000.00' },
      ],
      waived: [],
      overflow: '0.00',
      accruals: [],
      after: [{ ...inTime.bills[0], status: 'paid', paid: amounts({ principal: '200000.00', interest: '2240.00' }) }],
      outstandingAfter: '0.00',
      orderSettled: true,
      flags: { confirmGreater: true, confirmLess: false, confirmNotExtension: false },
      refusal: undefined,
    })
  })

  it('includes the penalties', () => {
    const { due, settleAmount, orderSettled } = trial(late, ask('2026-03-20', '206284.80'))
    expect([due.lateFee, settleAmount, orderSettled]).toEqual(['4044.80', '206284.80', true])
  })

  it('keeps what is too much as overflow', () => {
    const answer = trial(inTime, ask('2026-03-10', '210000.00'))
    expect(answer).toMatchObject({
      overflow: '7760.00',
      orderSettled: true,
      flags: { confirmGreater: true },
      refusal: undefined,
    })
  })

  it('settles an installment order as a whole', () => {
    const order = orderOf(installments(), '600000.00', '2026-04-05')
    const answer = trial(order, ask('2026-04-05', trial(order, ask('2026-04-05', '0.00')).settleAmount))
    expect(answer.after.map(each => each.status)).toEqual(['paid', 'paid', 'paid'])
    expect(answer.refusal).toBeUndefined()
  })

  it('forgives the days not used where the product says pro rata', () => {
    const order = orderOf(singleBill({ earlySettlement: 'proRata' }), '200000.00', '2026-03-08')
    const answer = trial(order, ask('2026-03-08', '201120.00'))
    expect(answer.outstanding).toBe('202240.00')
    expect(answer.settleAmount).toBe('201120.00')
    expect(answer.waived).toEqual([{ billNo: 'B1', component: 'interest', amount: '1120.00', reason: 'proRata' }])
    expect(answer).toMatchObject({ orderSettled: true, flags: { confirmLess: false }, refusal: undefined })
  })

  it('uses a passed exemption, never on principal', () => {
    const answer = trial(late, ask('2026-03-20', '203284.80', { exempt: { lateFee: '3000.00', principal: '5000.00' } }))
    expect(answer.waived).toEqual([{ billNo: 'B1', component: 'lateFee', amount: '3000.00', reason: 'exemption' }])
    expect(answer).toMatchObject({ settleAmount: '203284.80', orderSettled: true, refusal: undefined })
  })

  it('names the gap that an exemption of interest leaves to the contract amount', () => {
    const answer = trial(inTime, ask('2026-03-10', '201240.00', { exempt: { interest: '1000.00' } }))
    expect(answer).toMatchObject({ orderSettled: true, flags: { confirmLess: true }, refusal: undefined })
  })
})

describe('the payout is the least to be written off', () => {
  it('refuses less', () => {
    expect(inTime.actualLoanAmount).toBe('184000.00')
    expect(
      trial(inTime, ask('2026-03-10', '183999.99', { shortfallLimit: '99999.00', principalLimit: '99999.00' })).refusal,
    ).toBe('errors.writeOffBelowPayout')
  })

  it('counts what earlier records wrote off', () => {
    const paid = applyLines(inTime.bills, [{ billNo: 'B1', component: 'principal', amount: '150000.00' }], 'paid')
    const order = { ...inTime, bills: paid, writtenOffSoFar: '150000.00' }
    expect(trial(order, ask('2026-03-10', '52240.00'))).toMatchObject({
      orderSettled: true,
      flags: { confirmGreater: true },
      refusal: undefined,
    })
    expect(trial(order, ask('2026-03-10', '33999.00')).refusal).toBe('errors.writeOffBelowPayout')
  })

  it('asks nothing when it is met exactly', () => {
    const exact = orderOf(
      singleBill({
        interest: { method: 'flat', ratePerDay: '0' },
        serviceFee: { basis: 'rate', value: '0', taken: 'spread' },
      }),
      '200000.00',
      '2026-03-10',
    )
    expect(trial(exact, ask('2026-03-10', '200000.00')).flags).toEqual({
      confirmGreater: false,
      confirmLess: false,
      confirmNotExtension: false,
    })
  })

  it('asks only what its kind of repayment has to be asked', () => {
    const flags = (repayType: TrialRequest['repayType'], amount: string) =>
      trial(inTime, ask('2026-03-10', amount, { repayType })).flags
    expect(flags('settle', '22240.00').confirmNotExtension).toBe(false)
    expect(flags('partial', '22240.00')).toEqual({
      confirmGreater: false,
      confirmLess: false,
      confirmNotExtension: true,
    })
    expect(flags('partial', '201000.00').confirmGreater).toBe(false)
    expect(flags('overpayment', '300000.00')).toEqual({
      confirmGreater: false,
      confirmLess: false,
      confirmNotExtension: false,
    })
  })

  it('has no shortfall to forgive but where it settles', () => {
    const answer = trial(late, ask('2026-03-20', '203784.80', { repayType: 'partial', shortfallLimit: '2500.00' }))
    expect(answer).toMatchObject({ waived: [], orderSettled: false, outstandingAfter: '2500.00' })
  })
})

describe('a small shortfall', () => {
  const short = (amount: string, shortfallLimit?: string, principalLimit?: string) =>
    trial(late, ask('2026-03-20', amount, { shortfallLimit, principalLimit }))

  it('is refused without a limit, and nothing is forgiven', () => {
    const answer = short('206284.79')
    expect(answer).toMatchObject({
      refusal: 'errors.shortfallNotCovered',
      waived: [],
      orderSettled: false,
      outstandingAfter: '0.01',
      flags: { confirmLess: true },
    })
  })

  it('is forgiven within the limit, last in the order of allocation first', () => {
    const answer = short('203784.80', '2500.00')
    expect(answer.waived).toEqual([
      { billNo: 'B1', component: 'interest', amount: '2240.00', reason: 'shortfall' },
      { billNo: 'B1', component: 'lateFee', amount: '260.00', reason: 'shortfall' },
    ])
    expect(answer).toMatchObject({
      orderSettled: true,
      overflow: '0.00',
      flags: { confirmLess: true },
      refusal: undefined,
    })
    expect(amountsOf(answer.allocation)).toEqual(amounts({ lateFee: '3784.80', principal: '200000.00' }))
  })

  it('is refused one cent above the limit', () =>
    expect(short('203784.79', '2500.00').refusal).toBe('errors.shortfallNotCovered'))

  describe('a residue of 180 principal', () => {
    const residue = bill({ principal: '200000.00' }, { status: 'partial', paid: amounts({ principal: '199820.00' }) })
    const order = { ...inTime, bills: [residue], writtenOffSoFar: '199820.00' }
    const atZero = (principalLimit: string) =>
      trial(order, ask('2026-03-12', [], { shortfallLimit: '500.00', principalLimit }))

    it('cannot be settled at zero without a principal limit', () => {
      expect(atZero('0.00')).toMatchObject({ refusal: 'errors.shortfallNotCovered', orderSettled: false })
      expect(atZero('179.99').refusal).toBe('errors.shortfallNotCovered')
    })

    it('can with one that covers it', () => {
      expect(atZero('200.00')).toMatchObject({
        amount: '0.00',
        allocation: [],
        orderSettled: true,
        refusal: undefined,
        waived: [{ billNo: 'B1', component: 'principal', amount: '180.00', reason: 'shortfall' }],
      })
    })
  })

  it('settles at zero what owes nothing but has an open bill of penalties', () => {
    const order = { ...inTime, bills: [bill({ lateFee: '300.00' })], writtenOffSoFar: '202240.00' }
    expect(trial(order, ask('2026-03-12', [], { shortfallLimit: '300.00' }))).toMatchObject({
      orderSettled: true,
      refusal: undefined,
    })
  })
})

describe('a partial payment', () => {
  const part = (amount: string, order = late) => trial(order, ask('2026-03-20', amount, { repayType: 'partial' }))

  it('pays penalties first and leaves the rest open', () => {
    const answer = part('10000.00')
    expect(amountsOf(answer.allocation)).toEqual(
      amounts({ lateFee: '4044.80', interest: '2240.00', principal: '3715.20' }),
    )
    expect(answer).toMatchObject({
      outstandingAfter: '196284.80',
      orderSettled: false,
      waived: [],
      overflow: '0.00',
      refusal: undefined,
    })
    expect(answer.after[0]?.status).toBe('partial')
  })

  it('is to be a settlement when it reaches the settle amount', () => {
    expect(part('206284.79').refusal).toBeUndefined()
    expect(part('206284.80').refusal).toBe('errors.chooseSettle')
    expect(part('300000.00').refusal).toBe('errors.chooseSettle')
  })

  it('asks whether it is an extension when it equals the extension amount', () => {
    expect(part('1.00').extension?.amount).toBe('26284.80')
    expect(part('26284.80').flags).toEqual({ confirmGreater: false, confirmLess: false, confirmNotExtension: true })
    expect(part('26284.81').flags.confirmNotExtension).toBe(false)
    expect(
      part('26284.80', { ...late, terms: singleBill({ extension: { feeRate: '10', days: 0, max: 0 } }) }).extension,
    ).toBeNull()
  })

  it('forgives nothing for being early', () => {
    const order = orderOf(singleBill({ earlySettlement: 'proRata' }), '200000.00', '2026-03-08')
    const answer = trial(order, ask('2026-03-08', '50000.00', { repayType: 'partial' }))
    expect([answer.settleAmount, answer.waived, answer.outstandingAfter]).toEqual(['201120.00', [], '152240.00'])
  })

  it('of nothing is an incomplete form', () => {
    expect(part('0.00').refusal).toBe('validation.writeOffIncomplete')
    expect(trial(late, ask('2026-03-20', [], { repayType: 'overpayment' })).refusal).toBe(
      'validation.writeOffIncomplete',
    )
  })

  it('refuses amounts that are no money or negative', () => {
    expect(() => part('1e5')).toThrow(TypeError)
    expect(() => part('-5.00')).toThrow(RangeError)
  })
})

describe('an overpayment', () => {
  const over = (order: TrialOrder, amount: string) =>
    trial(order, ask('2026-03-10', amount, { repayType: 'overpayment' }))

  it('on a settled order is all overflow', () => {
    const settled = { ...inTime, bills: trial(inTime, ask('2026-03-10', '202240.00')).after }
    expect(over(settled, '500.00')).toMatchObject({
      allocation: [],
      overflow: '500.00',
      settleAmount: '0.00',
      extension: null,
      orderSettled: true,
      refusal: undefined,
    })
  })

  it('on an open order settles it first', () => {
    expect(over(inTime, '202241.00')).toMatchObject({ overflow: '1.00', orderSettled: true, refusal: undefined })
    expect(over(inTime, '202240.00').refusal).toBe('errors.notOverpayment')
  })
})

describe('the value date', () => {
  it('is not before the payout or the latest repayment', () => {
    const at = (valueDate: string, order = inTime) =>
      trial(order, ask('2026-03-10', '202240.00', { valueDate })).refusal
    expect(at('2026-03-01')).toBeUndefined()
    expect(at('2026-02-28')).toBe('validation.dateBeforeLoan')
    expect(at('2026-03-04', { ...inTime, lastValueDate: '2026-03-05' })).toBe('validation.dateBeforeLoan')
    expect(at('2026-03-05', { ...inTime, lastValueDate: '2026-03-05' })).toBeUndefined()
  })

  it('before today takes back the penalties after it', () => {
    const answer = trial(late, ask('2026-03-20', '204262.40', { valueDate: '2026-03-18' }))
    expect(answer.settleAmount).toBe('204262.40')
    expect(answer.accruals).toEqual([
      {
        billNo: 'B1',
        ticks: [],
        reversed: [
          { businessDate: '2026-03-20', lateFee: '1011.20', liquidatedDamages: '0.00' },
          { businessDate: '2026-03-19', lateFee: '1011.20', liquidatedDamages: '0.00' },
        ],
      },
    ])
    expect(answer).toMatchObject({ orderSettled: true, outstandingAfter: '0.00', refusal: undefined })
  })

  it('in time takes back all of them', () => {
    expect(trial(late, ask('2026-03-20', '202240.00', { valueDate: '2026-03-15' }))).toMatchObject({
      settleAmount: '202240.00',
      orderSettled: true,
      overflow: '0.00',
    })
  })

  it('of a part charges the days after it again on what remained', () => {
    const answer = trial(late, ask('2026-03-20', '104262.40', { valueDate: '2026-03-18', repayType: 'partial' }))
    expect(amountsOf(answer.allocation)).toEqual(
      amounts({ lateFee: '2022.40', interest: '2240.00', principal: '100000.00' }),
    )
    expect(answer.accruals[0]?.ticks.map(each => [each.businessDate, each.lateFee])).toEqual([
      ['2026-03-19', '500.00'],
      ['2026-03-20', '500.00'],
    ])
    expect(answer.outstandingAfter).toBe('101000.00')
  })

  it('leaves bills alone that the money does not reach', () => {
    const order = orderOf(installments({ termDays: 30, installmentCount: 3 }), '600000.00', '2026-04-05')
    const answer = trial(order, ask('2026-04-05', '1000.00', { valueDate: '2026-03-25', repayType: 'partial' }))
    expect(answer.accruals.map(each => each.billNo)).toEqual(['B1'])
    expect(answer.after.slice(1)).toEqual(order.bills.slice(1))
  })

  it('after today projects the penalties and moves nothing else', () => {
    const answer = trial(inTime, ask('2026-03-10', '0.00', { valueDate: '2026-03-20' }))
    expect(answer.due).toEqual(late.bills.map(remaining)[0])
    expect(answer.settleAmount).toBe('206284.80')
    expect(trial(late, ask('2026-03-20', '0.00', { valueDate: '2026-03-21' })).due.lateFee).toBe('5056.00')
  })
})

it('names every refusal in words', () => {
  for (const key of ['writeOffBelowPayout', 'shortfallNotCovered', 'chooseSettle', 'notOverpayment'])
    expect(isKey(`errors.${key}`)).toBe(true)
  for (const key of ['writeOffIncomplete', 'dateBeforeLoan']) expect(isKey(`validation.${key}`)).toBe(true)
})

describe('a coupon', () => {
  const off = (amount: string, interestOnly = false) => ({ discount: { amount, interestOnly } })

  it('takes its worth off interest and fees, and never off principal', () => {
    const answer = trial(inTime, ask('2026-03-10', '201240.00', off('1000.00')))
    expect(answer).toMatchObject({
      settleAmount: '201240.00',
      waived: [{ billNo: 'B1', component: 'interest', amount: '1000.00', reason: 'coupon' }],
      orderSettled: true,
      refusal: undefined,
      flags: { confirmLess: true },
    })
    expect(trial(inTime, ask('2026-03-10', '200000.00', off('9000.00')))).toMatchObject({
      settleAmount: '200000.00',
      waived: [{ component: 'interest', amount: '2240.00', reason: 'coupon' }],
      orderSettled: true,
    })
  })

  it('leaves penalties alone', () => {
    const { settleAmount, waived } = trial(late, ask('2026-03-20', '0.00', off('9000.00')))
    expect([settleAmount, amountsOf(waived)]).toEqual(['204044.80', amounts({ interest: '2240.00' })])
  })

  it('on interest alone counts on the oldest bill', () => {
    const order = orderOf(installments(), '600000.00', '2026-04-05')
    const [oldest] = order.bills
    const { waived } = trial(order, ask('2026-04-05', '0.00', off('900000.00', true)))
    const own = waived.filter(line => line.reason === 'coupon')
    expect(own.map(line => [line.billNo, line.component])).toEqual([[oldest?.billNo, 'interest']])
    expect(own[0]?.amount).toBe(remaining(oldest!).interest)
  })

  it('makes a part reach further, and an extension cheaper', () => {
    const part = trial(inTime, ask('2026-03-10', '50000.00', { repayType: 'partial', ...off('1000.00') }))
    expect(part).toMatchObject({ outstandingAfter: '151240.00', refusal: undefined })
    const extension = { repayType: 'extension' as const, ...off('1000.00') }
    expect(trial(inTime, ask('2026-03-10', '21240.00', extension))).toMatchObject({
      extension: { amount: '21240.00' },
      overflow: '0.00',
      outstandingAfter: '200000.00',
      refusal: undefined,
    })
  })

  it('that takes nothing off is refused', () => {
    const bare = orderOf(singleBill({ interest: { method: 'flat', ratePerDay: '0' } }), '200000.00', '2026-03-10')
    expect(trial(bare, ask('2026-03-10', '200000.00', off('1000.00'))).refusal).toBe('errors.couponNothing')
  })
})
