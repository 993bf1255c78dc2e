import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { autoCancels } from '../../../../core/contract/after-loan/auto-cancel.ts'
import { contract } from '../../../../core/contract/contract.ts'
import { configSuite } from '../../../testing/config-suite.ts'
import type { Person } from '../../../testing/kit.ts'
import { openPayouts, type Payouts } from '../payout/payout-fixture.ts'
import { autoCancelModule } from './auto-cancel.ts'

const { autoCancel } = contract
const codes = Object.values(autoCancels.codes)

configSuite(autoCancels, {
  modules: [autoCancelModule()],
  before: tx => tx.exec(sql`drop index auto_cancel_config_place`),
  fresh: () => ({ merchantNo: 'M1', pendingHours: 72 }),
  changed: { pendingHours: 48 },
  differs: 'pendingHours',
})

let p: Payouts
let boss: Person
const module_ = autoCancelModule()
beforeAll(async () => {
  p = await openPayouts({ running: [module_] })
  boss = await p.person({ perms: codes })
})
afterAll(() => p.close())
beforeEach(async () => {
  await p.reset()
  await p.db.withTx(tx => tx.exec(sql`delete from auto_cancel_config`))
  await p.db.withTx(async tx => {
    await tx.exec(sql`set local session_replication_role = replica`)
    await tx.exec(sql`delete from state_transition where machine = ${autoCancels.machine.id}`)
  })
})

type Values = Record<string, unknown>
const rule = async (values: Values) => {
  const as = await p.person({ perms: codes })
  const { data } = await p.call(autoCancel.save, values as never, { as })
  await p.call(autoCancel.state, { configNo: data.key, enabled: true, version: 0 } as never, { as })
  return String(data.key)
}
const run = () => p.db.withTx(tx => module_.scheduled![0]!.run(tx, { date: tx.today }))
const later = (hours: number) => p.clock.advance(hours * 3_600_000)
/** An approved order that cannot leave. */
const stuck = async (merchant: 'M1' | 'M2' = 'M1') => p.approved({ subtype: 'airtel', merchant })

describe('an approved loan', () => {
  it('ends when it has waited as long as its rule says, and not an hour earlier', async () => {
    const configNo = await rule({ pendingHours: 24 })
    const { loanCode, orderNo } = await stuck()
    later(23)
    expect(await run()).toMatchObject({ cancelled: 0 })
    later(1)
    expect(await run()).toMatchObject({ cancelled: 1 })
    expect(await p.stateOf(loanCode)).toEqual(['cancelled', 'cancelled'])
    const officer = await p.person({ perms: codes })
    const { data } = await p.call(autoCancel.cancelled, { configNo }, { as: officer })
    expect(data.list).toMatchObject([{ orderNo, fromStatus: 'pending_disbursement' }])
    expect(await run()).toMatchObject({ cancelled: 0 })
  })

  it('waits without end where no hours are set, or the rule is off', async () => {
    await rule({ failedHours: 1 })
    const { loanCode } = await stuck()
    later(700)
    expect(await run()).toMatchObject({ cancelled: 0 })
    expect(await p.stateOf(loanCode)).toEqual(['created', 'pending_disbursement'])
  })

  it('follows the rule of its product before that of its merchant and that of all', async () => {
    await rule({ pendingHours: 1 })
    await rule({ merchantNo: 'M1', pendingHours: 720 })
    const [own, other] = [await stuck('M1'), await stuck('M2')]
    later(2)
    expect(await run()).toMatchObject({ cancelled: 1 })
    expect((await p.stateOf(own.loanCode))[1]).toBe('pending_disbursement')
    expect((await p.stateOf(other.loanCode))[1]).toBe('cancelled')
    await rule({ merchantNo: 'M1', productNo: 'P1', pendingHours: 2 })
    expect(await run()).toMatchObject({ cancelled: 1 })
  })

  it('is never ended while money of it may have left', async () => {
    await rule({ pendingHours: 1, failedHours: 1, reWithdrawalHours: 1 })
    const { loanCode } = await p.approved()
    await p.run()
    await p.pass(3_600)
    later(100)
    expect(await run()).toMatchObject({ cancelled: 0 })
    expect((await p.code(loanCode)).loanCodeStatus).toBe('unknown')
  })

  it('is counted before the rule is saved, as the run counts', async () => {
    await stuck()
    await stuck()
    const preview = async (values: Values) =>
      (await p.call(autoCancel.preview, values as never, { as: await p.person({ perms: codes }) })).data
    later(5)
    expect(await preview({ pendingHours: 5 })).toEqual({ orders: 2, amount: '380000.00' })
    expect(await preview({ pendingHours: 6 })).toEqual({ orders: 0, amount: '0.00' })
    expect(await preview({ merchantNo: 'M2', pendingHours: 1 })).toEqual({ orders: 0, amount: '0.00' })
  })

  it.each([[0], [721], [1.5]])('takes no rule of %s hours', async pendingHours => {
    expect((await p.call(autoCancel.save, { pendingHours } as never, { as: boss })).code).toBe(40001)
  })
})
