import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { mtnMomo } from '../../../gateways/mtn-momo.ts'
import { startMomo } from '../../../simulators/testing.ts'
import { payoutsForTests } from '../../../testing/suites.ts'
import { paidOut } from './payout-fixture.ts'

const momo = await startMomo()
afterAll(() => momo.stop())
const p = await payoutsForTests({ gateway: mtnMomo(momo.config, { timeoutMs: 3_000 }) })

/** Which of our references the network really paid, and how often. */
const moved = async (loanCode: string) => {
  const { movements } = await momo.truth()
  return movements
    .filter(({ kind, externalId }) => kind === 'payout' && externalId.startsWith(loanCode))
    .map(({ externalId, amount, serialNo }) => ({ externalId, amount, serialNo }))
}
/** What our books hold to have left for the order of a code. */
const booked = async (loanCode: string) =>
  (
    await p.one<{ amount: string }>(sql`
    select coalesce(-sum(amount), 0)::numeric(18,2) as amount from journal_line where account_code = 'bank:FA1' and loan_code = ${loanCode}`)
  ).amount

const payTo = async (wallet: string) => {
  const made = await p.approved({ wallet })
  await p.run()
  return made
}
const pass = async (seconds: number) => {
  await momo.clock(seconds)
  await p.pass(seconds)
}
const statusOf = async (loanCode: string) => (await p.code(loanCode)).loanCodeStatus

describe('against the network itself', () => {
  it.each([
    ['G01', '256772000001', 'success', 1],
    ['G02', '256772000002', 'success', 1],
    ['G03', '256772000003', 'failed', 0],
    ['G04', '256772000004', 'success', 1],
    ['G05', '256772000005', 'failed', 0],
    ['G06', '256772000006', 'success', 1],
    ['G14', '256772000014', 'success', 1],
    ['G15', '256772000015', 'success', 1],
    ['G16', '256772000016', 'success', 1],
    ['G17', '256772000017', 'success', 1],
    ['G19', '256772000019', 'failed', 0],
  ])('%s ends as it must, and money moved as often as the books say', async (_, wallet, status, times) => {
    const { loanCode } = await payTo(wallet)
    for (let i = 0; i < 8 && (await statusOf(loanCode)) !== status; i++) await pass(i < 3 ? 60 : 1200)
    expect(await statusOf(loanCode)).toBe(status)
    const movements = await moved(loanCode)
    expect(movements).toHaveLength(times)
    expect(await booked(loanCode)).toBe(times === 1 ? paidOut : '0.00')
    if (times === 1)
      expect(movements[0]).toMatchObject({ externalId: `${loanCode}-1`, serialNo: (await p.code(loanCode)).serialNo })
  })

  it('G03: the reason decides the type', async () => {
    const { loanCode } = await payTo('256772000103')
    await pass(60)
    expect(await p.code(loanCode)).toMatchObject({ loanCodeStatus: 'failed', failType: 'payee_barred' })
  })

  it('G08: paid an hour after its failure is booked once, without a second send', async () => {
    const { loanCode } = await payTo('256772000008')
    await pass(60)
    expect(await statusOf(loanCode)).toBe('failed')
    await pass(3700)
    const { askNow } = await import('./payout-send.ts')
    await p.db.withTx(tx => askNow(tx, `${loanCode}-1`, 'callback'))
    await p.run()
    expect(await statusOf(loanCode)).toBe('success')
    expect(await moved(loanCode)).toHaveLength(1)
    expect(await booked(loanCode)).toBe(paidOut)
  })

  it('G13: a wrong amount stays unknown', async () => {
    const { loanCode } = await payTo('256772000013')
    await pass(60)
    expect(await statusOf(loanCode)).toBe('unknown')
    expect(await p.items()).toMatchObject([{ reconKind: 'amount_differs', reference: `${loanCode}-1` }])
  })

  it('G21: pending for ever stays unknown', async () => {
    const { loanCode } = await payTo('256772000021')
    for (let i = 0; i < 5; i++) await pass(3600)
    expect(await statusOf(loanCode)).toBe('unknown')
    expect(await moved(loanCode)).toHaveLength(0)
  })
})
