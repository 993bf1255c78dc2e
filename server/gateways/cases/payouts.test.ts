import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NetworkHandler } from '../../module.ts'
import { checkBooks } from '../../systems/after-loan/payout/payout-books.ts'
import { type Made, paidOut } from '../../systems/after-loan/payout/payout-fixture.ts'
import type { WalletChannel } from '../gateway.ts'
import { type Moment, moments, type PayoutCase, payoutCases, type Scene } from './payouts.ts'
import { channels, type Fixture, openFixture } from './wallet-fixture.ts'

type Played = { channel: WalletChannel; wanted: PayoutCase; made: Made; seen: Partial<Record<Moment, string>> }
const title = ({ channel, wanted }: Pick<Played, 'channel' | 'wanted'>) => `${wanted.code} ${channel}: ${wanted.title}`

let fixture: Fixture
const played = new Map<string, Played>()

/** The process dies between the call and the note of its answer. */
const crashAfterSending = async ({ made }: Played) => {
  const { p } = fixture
  const { before, send } = p.handlers.get('payout.send') as unknown as NetworkHandler
  const job = { jobKey: 'dying', payload: { externalId: `${made.loanCode}-1` } }
  const prepared = await p.db.withTx(tx => before(tx, job))
  await send(prepared)
}

/** Everybody is paid at once; then time goes by, and every case is looked at and acted upon on its way. */
const play = async () => {
  const { p } = fixture
  const enter: Scene['enter'] = (...perms) => p.person({ perms })
  for (const channel of channels)
    for (const wanted of payoutCases(channel))
      played.set(title({ channel, wanted }), { channel, wanted, made: await fixture.order(channel, wanted), seen: {} })
  const all = [...played.values()]
  await p.run('payout.dispatch')
  for (const one of all) if (one.wanted.code === 'G14') await crashAfterSending(one)
  await p.run()
  let gone = 0
  for (const [moment, seconds] of Object.entries(moments) as [Moment, number][]) {
    if (moment === 'hour') await fixture.hear(seconds - gone)
    else if (seconds > 0) await fixture.pass(seconds - gone)
    gone = seconds
    for (const one of all) {
      one.seen[moment] = (await p.code(one.made.loanCode)).loanCodeStatus
      await one.wanted.meanwhile?.[moment]?.({ fixture, enter, channel: one.channel, made: one.made })
    }
  }
  await fixture.settle()
}

beforeAll(async () => {
  fixture = await openFixture()
  await play()
})
afterAll(async () => {
  await checkBooks(fixture.p)
  await fixture.close()
})

const cases = channels.flatMap(channel => payoutCases(channel).map(wanted => title({ channel, wanted })))

describe('payouts over both networks', () => {
  it.each(cases)('%s', async name => {
    const { channel, wanted, made, seen } = played.get(name) as Played
    const { p } = fixture
    expect(seen).toMatchObject(wanted.states)
    const code = await p.code(made.loanCode)
    expect((await p.order(made.orderNo)).orderStatus).toBe(wanted.order)
    expect(await p.postings(made.loanCode)).toEqual(wanted.postings)
    if (wanted.failType) expect(code.failType).toBe(wanted.failType)
    const moved = await fixture.moved(channel, made.orderNo)
    expect(moved.map(({ kind, amount }) => [kind, amount])).toEqual(Array(wanted.moved).fill(['payout', paidOut]))
    const items = await p.items()
    const own = items.filter(({ reference }) => reference.startsWith(made.loanCode)).map(item => item.reconKind)
    expect(own).toEqual(wanted.items ?? [])
    const { deliveries, suspicions } = await fixture.callbacks(made.loanCode)
    if (wanted.deliveries) expect(deliveries).toBe(wanted.deliveries)
    expect(suspicions).toEqual(wanted.suspicions ?? [])
    expect(code.attemptNo).toBe(wanted.attempts ?? 1)
    if (code.loanCodeStatus === 'success') {
      expect(moved.map(({ serialNo }) => serialNo)).toContain(code.serialNo)
      const { n } = await p.one<{ n: number }>(
        sql`select count(*)::int as n from repay_plan where order_no = ${made.orderNo}`,
      )
      expect(n).toBe(2)
    }
  })

  it.each(channels)('%s: the ledger and what the network really did are the same to the shilling', async channel => {
    const { ledger, truth } = await fixture.bothBalances(channel)
    expect(ledger).toBe(truth)
  })
})
