import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fileCases, paymentCases } from '../../simulators/bank/cases.ts'
import { checkBooks } from '../../systems/after-loan/payout/payout-books.ts'
import { type Made, paidOut } from '../../systems/after-loan/payout/payout-fixture.ts'
import { type BankFixture, openBankFixture } from './bank-fixture.ts'

/** Seconds after the file at which payments are looked at. */
const moments = {
  answered: 0,
  halfHour: 31 * 60,
  hour: 3605,
  twoDays: 2 * 86_400 + 60,
  decided: 2 * 86_400 + 61,
} as const
type Moment = keyof typeof moments

type Wanted = {
  code: keyof typeof paymentCases | keyof typeof fileCases
  variant: string
  title: string
  states: Partial<Record<Moment, string>>
  postings: readonly string[]
  /** How often the bank really paid. */
  moved: number
  failType?: string
  items?: readonly string[]
  /** What only two people can decide. */
  byHand?: true
}
const paid = { postings: ['P1a', 'P1b'], moved: 1 } as const
const failed = { postings: ['P1a', 'P1c'], moved: 0 } as const

const ofPayments: readonly Wanted[] = [
  { code: 'G01', variant: 'paid', title: 'paid at once', states: { answered: 'success' }, ...paid },
  { code: 'G25', variant: 'ACSC', title: 'ACSC', states: { answered: 'success' }, ...paid },
  { code: 'G25', variant: 'RJCT', title: 'RJCT', states: { answered: 'failed' }, failType: 'payee_invalid', ...failed },
  {
    code: 'G25',
    variant: 'PDNG',
    title: 'PDNG for two days, then ACSC',
    states: { answered: 'remitting', halfHour: 'unknown', hour: 'unknown', twoDays: 'success' },
    ...paid,
  },
  {
    code: 'G25',
    variant: 'silentPaid',
    title: 'never answered, and paid',
    states: { answered: 'remitting', halfHour: 'unknown', twoDays: 'unknown', decided: 'success' },
    byHand: true,
    ...paid,
  },
  {
    code: 'G25',
    variant: 'silent',
    title: 'never answered, and not paid',
    states: { answered: 'remitting', halfHour: 'unknown', twoDays: 'unknown', decided: 'failed' },
    byHand: true,
    ...failed,
  },
  { code: 'G27', variant: 'twice', title: 'the answer comes twice', states: { answered: 'success' }, ...paid },
  {
    code: 'G27',
    variant: 'foreign',
    title: 'an answer for a file that is not ours, then the right one',
    states: { answered: 'remitting', halfHour: 'unknown', hour: 'success' },
    ...paid,
  },
  {
    code: 'G27',
    variant: 'amount',
    title: 'the answer speaks of another amount',
    states: { answered: 'unknown', twoDays: 'unknown', decided: 'success' },
    items: ['amount_differs'],
    byHand: true,
    ...paid,
  },
]
const ofFiles: readonly Wanted[] = [
  {
    code: 'G26',
    variant: 'duplicate',
    title: 'refused as a duplicate, and the first copy runs',
    states: { answered: 'unknown', twoDays: 'unknown', decided: 'success' },
    byHand: true,
    ...paid,
  },
  {
    code: 'G26',
    variant: 'duplicateLost',
    title: 'refused as a duplicate, and nothing runs',
    states: { answered: 'unknown', twoDays: 'unknown', decided: 'failed' },
    byHand: true,
    ...failed,
  },
  {
    code: 'G26',
    variant: 'schema',
    title: 'refused for its form',
    states: { answered: 'failed' },
    failType: 'config',
    ...failed,
  },
]
const all = [...ofPayments, ...ofFiles]
/** Cases that only statements show are played beside them. */
const ofStatements = ['G28 returned']
const nameOf = ({ code, title }: Wanted) => `${code} ${title}`

let fixture: BankFixture
const played = new Map<string, { made: Made; seen: Partial<Record<Moment, string>> }>()

const play = async () => {
  for (const wanted of ofPayments)
    played.set(nameOf(wanted), { made: await fixture.order(wanted.code, wanted.variant), seen: {} })
  await fixture.send()
  for (const wanted of ofFiles) {
    played.set(nameOf(wanted), { made: await fixture.order(), seen: {} })
    await fixture.bank.scenario({ match: 'next', case: wanted.code, variant: wanted.variant })
    await fixture.send()
  }
  let gone = 0
  for (const [moment, seconds] of Object.entries(moments) as [Moment, number][]) {
    if (seconds > gone) await fixture.pass(seconds - gone)
    gone = seconds
    if (moment === 'decided')
      for (const wanted of all) if (wanted.byHand) await fixture.confirm(played.get(nameOf(wanted))!.made)
    for (const { made, seen } of played.values()) seen[moment] = (await fixture.p.code(made.loanCode)).loanCodeStatus
  }
}

beforeAll(async () => {
  fixture = await openBankFixture()
  await play()
}, 180_000)
afterAll(async () => {
  await checkBooks(fixture.p)
  await fixture.close()
})

describe('payouts over a bank', () => {
  it.each(all.map(nameOf))('%s', async name => {
    const wanted = all.find(one => nameOf(one) === name)!
    const { made, seen } = played.get(name)!
    const { p } = fixture
    expect(seen).toMatchObject(wanted.states)
    expect(await p.postings(made.loanCode)).toEqual(wanted.postings)
    const code = await p.code(made.loanCode)
    if (wanted.failType) expect(code.failType).toBe(wanted.failType)
    const moved = await fixture.movements(made.loanCode)
    expect(moved.map(({ amount }) => amount)).toEqual(Array(wanted.moved).fill(paidOut))
    if (code.loanCodeStatus === 'success') expect(code.serialNo).toBe(moved[0]?.serialNo)
    const items = (await p.items()).filter(({ reference }) => reference.startsWith(made.loanCode))
    expect(items.map(({ reconKind }) => reconKind)).toEqual(wanted.items ?? [])
    expect(code.attemptNo).toBe(1)
  })

  it('plays every case of the bank with each of its variants', () => {
    const known = Object.entries({ ...paymentCases, ...fileCases }).flatMap(([code, variants]) =>
      Object.keys(variants).map(variant => `${code} ${variant}`),
    )
    const here = all.map(({ code, variant }) => `${code} ${variant}`)
    expect([...here, ...ofStatements].sort()).toEqual(known.sort())
  })

  it('the ledger and what the bank really paid are the same to the shilling', async () => {
    const { ledger, truth } = await fixture.bothBalances()
    expect(ledger).toBe(truth)
  })

  it('every answer is kept with what was done about it', async () => {
    const outcomes = (await fixture.p.events()).map(({ outcome, deliveries }) => `${outcome} × ${deliveries}`)
    expect(outcomes).toContain('foreign × 1')
    expect(outcomes.filter(one => one.endsWith('× 2'))).toEqual(['taken 1, ignored 0 × 2'])
    expect(outcomes.every(one => /^(taken|foreign)/.test(one))).toBe(true)
  })

  it('refused for its form, the channel waits until somebody has looked', async () => {
    const { p } = fixture
    const waiting = await fixture.order()
    await p.run()
    expect((await p.code(waiting.loanCode)).waitReason).toBe('channel_paused')
    await fixture.resume()
    await fixture.send()
    expect((await p.code(waiting.loanCode)).loanCodeStatus).toBe('success')
  })
})
