import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { autoSettles } from '../../../../core/contract/after-loan/auto-settle.ts'
import { contract } from '../../../../core/contract/contract.ts'
import { configSuite } from '../../../testing/config-suite.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { autoSettleModule } from './auto-settle.ts'

const { autoSettle } = contract
const form = { residueLimit: '500.00', daysSincePayment: 1, useOverflow: true }
const codes = Object.values(autoSettles.codes)

configSuite(autoSettles, {
  modules: [autoSettleModule()],
  before: tx => tx.exec(sql`drop index auto_settle_config_place`),
  fresh: () => ({ ...form, merchantNo: 'M1' }),
  changed: { residueLimit: '300.00' },
  differs: 'residueLimit',
})

describe('a rule', () => {
  let kit: Kit
  let boss: Person
  beforeAll(async () => {
    kit = await openKit({ modules: [autoSettleModule()] })
    boss = await kit.person({ perms: codes })
  })
  afterAll(() => kit.close())

  it.each([
    ['more than write-offs may forgive', { residueLimit: '500.01' }, 'residueLimit'],
    ['31 days', { daysSincePayment: 31 }, 'daysSincePayment'],
    ['half a day', { daysSincePayment: 0.5 }, 'daysSincePayment'],
    ['a limit below 0', { residueLimit: '-1.00' }, 'residueLimit'],
  ])('is refused with %s', async (_, more, field) => {
    const answer = await kit.call(autoSettle.save, { ...form, ...more } as never, { as: boss })
    expect(answer).toMatchObject({ code: 40001, data: { fields: [{ path: field }] } })
  })
})
