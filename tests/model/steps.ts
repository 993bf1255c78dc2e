import fc from 'fast-check'
import type { Terms } from '../../core/rules/loan/terms.ts'
import { fixtureTerms } from '../../server/testing/kit.ts'
import type { Word } from './confirm-acts.ts'
import type { Decision, Payment } from './flow-acts.ts'
import type { Chosen } from './repay-acts.ts'
import type { Reply, Truth } from './state.ts'

/** Products of the model: bills in parts, one bill that pays the principal first and forgives what is not used, whole shillings. */
export const products: readonly Terms[] = [
  fixtureTerms,
  {
    ...fixtureTerms,
    track: 'case',
    termDays: 7,
    installmentCount: 1,
    graceDays: 1,
    allocation: ['principal', 'interest', 'managementFee', 'serviceFee', 'liquidatedDamages', 'lateFee'],
    earlySettlement: 'proRata',
    interest: { method: 'flat', ratePerDay: '0.7301' },
  },
  {
    ...fixtureTerms,
    termDays: 21,
    installmentCount: 3,
    serviceFee: { basis: 'amount', value: '7000.00', taken: 'upfront' },
    managementFee: { basis: 'rate', value: '3', taken: 'spread' },
    lateFee: { ratePerDay: '2.25', capRate: '10' },
    liquidatedDamages: { afterDays: 3, basis: 'amount', value: '1500.00' },
    earlySettlement: 'proRata',
    rounding: { unit: '1', mode: 'half_up' },
  },
]

/** `strict` steps take the order they name, others one that fits them. */
export type Step = { order: 0 | 1; twice: boolean; strict: boolean } & (
  | { do: 'work' }
  | { do: 'pass'; minutes: number }
  | { do: 'reply'; replies: Reply[] }
  | { do: 'becomes'; back: number; truth: Truth; heard: boolean }
  | { do: 'callBack'; back: number; claim: boolean; times: number; unknown: boolean }
  | { do: 'ask' | 'verify' | 'abort' }
  | { do: 'cancel'; both: boolean }
  | { do: 'retry'; both: boolean; checked: boolean }
  | { do: 'correct'; wallet: number; stale: boolean }
  | { do: 'recreate' | 'allowAgain' | 'cancelPaid'; stale: boolean }
  | ({ do: 'confirm' } & Word)
  | { do: 'reroute'; to: 'main' | 'spare' | 'other' }
  | ({ do: 'writeOff' } & Chosen)
  | ({ do: 'payIn' } & Payment)
  | { do: 'clears'; truth: Payment['truth'] }
  | { do: 'zeroSettle'; blind: boolean }
  | { do: 'reuse'; share: number; stale: boolean }
  | { do: 'rollback'; back: number; stale: boolean }
  | { do: 'save'; amount: number; known: boolean }
  | { do: 'commitFlow' | 'confirmFlow' | 'deleteFlow' | 'voidFlow'; which: number; stale: boolean }
  | { do: 'decide'; back: number; decision: Decision; who: 'maker' | 'checker' }
)

export type Begin = 'created' | 'paid' | 'sent' | 'unknown' | 'failed' | 'wrongPayee'
export type Sequence = {
  products: readonly [number, number]
  amounts: readonly [number, number]
  /** What became of the payouts before anything else happens; `created` alone stays where nothing was sent at all. */
  begin: readonly [Begin, Begin]
  limits: { shortfall: number; principal: number; overflow: number }
  /** Whether there is money for one payout only. */
  poor: boolean
  steps: readonly Step[]
}

const few = fc.integer({ min: 0, max: 3 })
const seldom = fc.integer({ min: 0, max: 9 }).map(n => n === 9)
/** Parts of what settles an order, in thousandths. */
const share = fc.oneof(
  fc.integer({ min: 1, max: 1100 }),
  fc.integer({ min: 1, max: 500 }),
  fc.constantFrom(500, 1000, 1000),
)
const residue = fc.constantFrom(0, 0, 0, 0, -30_000, -5_000, 5_000, 100_000)
const truth = fc.constantFrom<Truth>(
  'success',
  'success',
  'failure',
  'payeeInvalid',
  'pending',
  'notFound',
  'silent',
  'otherAmount',
  'otherPayee',
)
const answer = fc.constantFrom<Reply>(
  'accepted',
  'success',
  'success',
  'failure',
  'payeeInvalid',
  'silent',
  'silent',
  'exists',
)

const chosen: fc.Arbitrary<Chosen> = fc.record({
  repayType: fc.constantFrom('settle' as const, 'partial' as const, 'partial' as const, 'overpayment' as const),
  typed: fc.array(
    fc.record({
      share,
      more: residue,
      daysAgo: fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 2, 6),
      keep: fc.constantFrom(0, 0, 0, 700_000),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  picked: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(few, { minLength: 1, maxLength: 2 }) },
  ),
  valueDate: fc.constantFrom(null, null, null, null, null, null, 0, -2, 3),
  blind: seldom,
  flaw: fc.oneof(
    { weight: 12, arbitrary: fc.constant('none' as const) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        'stale' as const,
        'unconfirmed' as const,
        'key' as const,
        'repeated' as const,
        'known' as const,
        'tooMuch' as const,
        'nothing' as const,
        'unproven' as const,
      ),
    },
  ),
})

const payment: fc.Arbitrary<Payment> = fc.record({
  share,
  more: residue,
  exact: fc.constantFrom('no' as const, 'no' as const, 'settle' as const, 'payout' as const),
  by: fc.constantFrom(
    'payCode' as const,
    'payCode' as const,
    'payCode' as const,
    'orderNo' as const,
    'phone' as const,
    'wrong' as const,
  ),
  truth: fc.constantFrom(
    'success' as const,
    'success' as const,
    'success' as const,
    'failure' as const,
    'pending' as const,
    'notFound' as const,
  ),
  lie: seldom,
  sameSerial: seldom,
  daysAgo: fc.constantFrom(0, 0, 0, 2),
  times: fc.constantFrom(1, 1, 2),
})

const of = <D extends Step['do']>(name: D, rest: object = {}) =>
  fc.record({
    do: fc.constant(name),
    order: fc.constantFrom(0 as const, 0 as const, 1 as const),
    twice: seldom,
    strict: fc.boolean(),
    ...rest,
  }) as unknown as fc.Arbitrary<Step>

const hour = 60
const day = 24 * hour
const weighted = (...pairs: readonly (readonly [number, fc.Arbitrary<Step>])[]) =>
  fc.oneof(...pairs.map(([weight, arbitrary]) => ({ weight, arbitrary })))

/** Whatever staff, customers, the network and the clock may do, in any state. */
const step = weighted(
  [10, of('work')],
  [9, of('pass', { minutes: fc.constantFrom(1, 2, 31, hour, 25 * hour, day, day, 2 * day, 5 * day, 9 * day) })],
  [4, of('reply', { replies: fc.array(answer, { minLength: 1, maxLength: 3 }) })],
  [7, of('becomes', { back: few, truth, heard: fc.constantFrom(true, true, false) })],
  [4, of('callBack', { back: few, claim: fc.boolean(), times: fc.constantFrom(1, 1, 3), unknown: seldom })],
  [4, of('ask')],
  [2, of('verify')],
  [2, of('cancel', { both: seldom })],
  [4, of('retry', { both: seldom, checked: fc.boolean() })],
  [3, of('correct', { wallet: fc.integer({ min: 0, max: 4 }), stale: seldom })],
  [3, of('recreate', { stale: seldom })],
  [2, of('allowAgain', { stale: seldom })],
  [
    6,
    of('confirm', {
      result: fc.constantFrom('success', 'success', 'failure'),
      daysAgo: fc.constantFrom(0, 0, 1, 3),
      serial: fc.constantFrom('own', 'own', 'own', 'own', 'other', 'orderNo', 'none'),
      who: fc.constantFrom('maker', 'checker'),
      stale: seldom,
    }),
  ],
  [2, of('reroute', { to: fc.constantFrom('main', 'spare', 'other') })],
  [14, fc.tuple(of('writeOff'), chosen).map(([one, more]) => ({ ...one, ...more }) as Step)],
  [10, fc.tuple(of('payIn'), payment).map(([one, more]) => ({ ...one, ...more }) as Step)],
  [2, of('clears', { truth: fc.constantFrom('success', 'success', 'failure', 'notFound') })],
  [3, of('zeroSettle', { blind: seldom })],
  [4, of('reuse', { share: fc.integer({ min: 1, max: 1100 }), stale: seldom })],
  [7, of('rollback', { back: fc.constantFrom(0, 0, 0, 1), stale: seldom })],
  [2, of('save', { amount: fc.constantFrom(1_000_000, 5_000_000, 123_400), known: seldom })],
  [2, of('commitFlow', { which: few, stale: seldom })],
  [2, of('confirmFlow', { which: few, stale: seldom })],
  [1, of('deleteFlow', { which: few, stale: seldom })],
  [2, of('voidFlow', { which: few, stale: seldom })],
  [2, of('cancelPaid', { stale: seldom })],
  [1, of('abort')],
  [
    9,
    fc.oneof(
      {
        weight: 6,
        arbitrary: of('decide', {
          back: fc.constant(0),
          decision: fc.constant('approve'),
          who: fc.constant('checker'),
        }),
      },
      {
        weight: 3,
        arbitrary: of('decide', {
          back: few,
          decision: fc.constantFrom('approve', 'reject', 'withdraw'),
          who: fc.constantFrom('maker', 'checker'),
        }),
      },
    ),
  ],
)

const begin = fc.constantFrom<Begin>(
  'paid',
  'paid',
  'paid',
  'paid',
  'sent',
  'unknown',
  'failed',
  'wrongPayee',
  'created',
)

export const sequence = (most = 24): fc.Arbitrary<Sequence> =>
  fc.record({
    products: fc.tuple(
      fc.integer({ min: 0, max: products.length - 1 }),
      fc.integer({ min: 0, max: products.length - 1 }),
    ),
    amounts: fc.tuple(fc.integer({ min: 5, max: 60 }), fc.integer({ min: 5, max: 60 })),
    begin: fc.tuple(begin, begin),
    limits: fc.record({
      shortfall: fc.constantFrom(50_000, 0, 2_500_000),
      principal: fc.constantFrom(20_000, 0, 100_000),
      overflow: fc.constantFrom(5_000_000, 0, 200_000),
    }),
    poor: seldom,
    steps: fc.array(step, { minLength: 2, maxLength: most, size: 'max' }),
  })
