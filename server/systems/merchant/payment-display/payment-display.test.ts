import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { paymentDisplays } from '../../../../core/contract/merchant/payment-display.ts'
import { json } from '../../../db/json.ts'
import { system } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'
import { configSuite } from '../../../testing/config-suite.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { paymentDisplayModule } from './payment-display.ts'

type Values = Record<string, unknown>
const { paymentDisplay } = contract
const codes = [...new Set(Object.values(paymentDisplays.codes))]
const way = {
  displayName: { zh: '移动钱包', en: 'Mobile wallet', sw: 'Pochi ya simu' },
  sort: 1,
  minAmount: '1000.00',
  maxAmount: '500000.00',
}

configSuite(paymentDisplays as never, {
  modules: [paymentDisplayModule()],
  // Another way of each direction is shown, so that this one may be hidden.
  fresh: n => ({ ...way, merchantNo: `N${n}`, channel: 'mtn_momo', direction: 'payout' }),
  changed: { sort: 7 },
  differs: 'sort',
  before: async tx => {
    await tx.exec(
      sql`insert into merchant (merchant_no, merchant_name, app_name, org_no) select 'N' || n, 'New ' || n, 'New' || n, 'O1' from generate_series(1, 40) n`,
    )
    const shown = { channel: 'bank_file', direction: 'payout', displayName: json(way.displayName), sort: 9 }
    const amounts = { minAmount: way.minAmount, maxAmount: way.maxAmount }
    const at = new Date(tx.now.getTime() - 86_400_000)
    const times = { createdTime: at, updatedBy: 'system', updatedTime: at }
    for (let n = 1; n <= 40; n++) {
      const { machine } = paymentDisplays
      const row = { displayNo: `PX${n}`, merchantNo: `N${n}`, ...shown, ...amounts, ...times }
      await create(tx, machine, row, { event: 'item.create' }, system('test'))
      await tx.flush()
      await transition(
        tx,
        machine,
        { ...row, enabled: 'disabled', version: 0 },
        { event: 'item.enable' },
        system('test'),
      )
    }
  },
})

describe('ways that an app shows', () => {
  let kit: Kit
  let boss: Person
  const ask = async (endpoint: unknown, input: Values, as = boss) =>
    (await kit.call(endpoint as Endpoint, input as never, { as, language: 'en' })) as unknown as {
      code: number
      data: Values & { list: Values[] }
    }
  const add = (change: Values) =>
    ask(paymentDisplay.save, { ...way, merchantNo: 'M1', channel: 'mtn_momo', direction: 'repay', ...change })

  beforeAll(async () => {
    kit = await openKit({ modules: [paymentDisplayModule()] })
    boss = await kit.person({ perms: codes, name: 'Boss' })
  })
  afterAll(() => kit.close())

  it('the last way of a direction is not hidden', async () => {
    const displayNo = (await add({})).data.key
    expect(await ask(paymentDisplay.state, { displayNo, enabled: false, version: 1 })).toMatchObject({ code: 40901 })
    expect((await add({ channel: 'airtel_money', direction: 'payout' })).code).toBe(0)
    expect(await ask(paymentDisplay.state, { displayNo, enabled: false, version: 1 })).toMatchObject({ code: 40901 })
    expect((await add({ channel: 'airtel_money' })).code).toBe(0)
    expect((await ask(paymentDisplay.state, { displayNo, enabled: false, version: 1 })).code).toBe(0)
  })

  it.each([
    [{ minAmount: '600000.00' }, 'maxAmount'],
    [{ fundAccountNo: 'FA9' }, 'fundAccountNo'],
    [{}, 'channel'],
  ])('%j is refused', async (change, path) => {
    const answer = await add(change)
    expect(answer).toMatchObject({ code: 40001, data: { fields: [{ path }] } })
  })

  it('people of another merchant see and change nothing of it', async () => {
    const other = await kit.person({ perms: codes, limit: 'own_merchants', merchants: ['M2'], name: 'Other' })
    expect((await ask(paymentDisplay.page, {}, other)).data.list).toEqual([])
    const made = { ...way, merchantNo: 'M1', channel: 'bank_file', direction: 'repay' }
    expect((await ask(paymentDisplay.save, made, other)).code).toBe(40001)
  })
})
