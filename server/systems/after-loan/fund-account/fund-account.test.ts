import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fundAccounts } from '../../../../core/contract/after-loan/fund-account.ts'
import { contract } from '../../../../core/contract/contract.ts'
import { sweep } from '../../../invariants/sweep.ts'
import { noPayout } from '../../../money/no-gateway.ts'
import { configSuite } from '../../../testing/config-suite.ts'
import type { Person } from '../../../testing/kit.ts'
import { openPayouts, type Payouts } from '../payout/payout-fixture.ts'
import { fundAccountModule } from './fund-account.ts'

const { common, fundAccount } = contract
const account = {
  lenderName: 'Nile Credit',
  accountName: 'Second wallet',
  accountRole: 'collection',
  merchantNos: ['M1'],
  channel: 'mtn_momo',
  accountNumber: '256770000099',
  minBalance: '0.00',
  dailyCap: '0.00',
}

configSuite(fundAccounts, {
  modules: [fundAccountModule({ payout: { mtn_momo: noPayout } })],
  fresh: n => ({ ...account, accountNumber: `25677${String(n).padStart(7, '1')}` }),
  changed: { dailyCap: '1000000.00' },
  differs: 'dailyCap',
})

let p: Payouts
let maker: Person
let checker: Person
const codes = ['fund:account:page', 'fund:account:save', 'fund:account:enable']
type Values = Record<string, unknown>

beforeAll(async () => {
  p = await openPayouts({ more: () => [], running: [fundAccountModule({ payout: { mtn_momo: noPayout } })] })
  maker = await p.person({ perms: codes, name: 'Maker' })
  checker = await p.person({ perms: [...codes, ...codes.map(code => `${code}:check`)], name: 'Checker' })
})
afterAll(async () => {
  expect(await sweep(p.db)).toEqual([])
  await p.close()
})

let wallets = 0
const save = (more: Values, as = maker) =>
  p.call(fundAccount.save, { ...account, ...more } as never, { as, language: 'en' })
const add = async (more: Values = {}) =>
  String((await save({ accountNumber: `25677${String(++wallets).padStart(7, '5')}`, ...more })).data.key)
const rowOf = async (fundAccountNo: string) =>
  (await p.call(fundAccount.detail, { fundAccountNo } as never, { as: maker })).data as Values & { version: number }
const turn = async (fundAccountNo: string, enabled: boolean) => {
  const { version } = await rowOf(fundAccountNo)
  return p.call(fundAccount.state, { fundAccountNo, enabled, version } as never, { as: maker, language: 'en' })
}
const agree = async (approvalNo: unknown) =>
  (await p.call(common.approve, { approvalNo: String(approvalNo), version: 0 }, { as: checker })).data
describe('an account', () => {
  it.each([
    ['a wallet number of another form', { accountNumber: '0770000001' }, 'accountNumber'],
    [
      'letters in a bank number',
      { channel: 'bank_file', bankName: 'S', branch: 'K', accountNumber: '12AB56' },
      'accountNumber',
    ],
    ['no bank', { channel: 'bank_file', branch: 'K', accountNumber: '123456' }, 'bankName'],
    ['no branch', { channel: 'bank_file', bankName: 'S', accountNumber: '123456' }, 'branch'],
    ['no merchant', { merchantNos: [] }, 'merchantNos'],
    ['an unknown merchant', { merchantNos: ['M1', 'M77'] }, 'merchantNos'],
    ['a cap of three decimals', { dailyCap: '1.234' }, 'dailyCap'],
    ['the number of another account', { accountNumber: '256770000001' }, 'accountNumber'],
  ])('is refused with %s', async (_, more, field) => {
    const answer = await save(more)
    expect(answer).toMatchObject({ code: 40001, data: { fields: [{ path: field }] } })
  })

  it('holds its opening balance in the books once a second person agrees, and only once', async () => {
    const no = await add({ openingBalance: '750000.00' })
    const balance = () => p.balance(`bank:${no}`)
    expect(await balance()).toBe('0.00')
    const asked = await turn(no, true)
    expect(await balance()).toBe('0.00')
    expect(await agree(asked.data.approvalNo)).toMatchObject({ approvalStatus: 'executed' })
    expect([await balance(), (await rowOf(no)).ledgerBalance]).toEqual(['750000.00', '750000.00'])
    for (const enabled of [false, true]) await agree((await turn(no, enabled)).data.approvalNo)
    expect(await balance()).toBe('750000.00')
    expect((await p.call(fundAccount.remove, { fundAccountNo: no, version: 3 } as never, { as: maker })).code).toBe(
      40901,
    )
  })

  it('is neither listed nor opened by people of another merchant, and shows its number on request only', async () => {
    const no = await add({ merchantNos: ['M1'] })
    const other = await p.person({ perms: codes, nature: 'merchant', merchants: ['M2'], limit: 'own_merchants' })
    const listed = (await p.call(fundAccount.page, { pageSize: 100 }, { as: other })).data.list
    expect(listed.map(row => row.fundAccountNo)).not.toContain(no)
    expect((await p.call(fundAccount.detail, { fundAccountNo: no } as never, { as: other })).code).toBe(40401)
    expect((await p.call(fundAccount.movements, { fundAccountNo: no }, { as: other })).code).toBe(40401)
    expect((await save({ merchantNos: ['M1', 'M2'] }, other)).code).toBe(40001)
    const { list } = (await p.call(fundAccount.page, { pageSize: 100 }, { as: maker })).data
    expect(list.find(row => row.fundAccountNo === no)?.accountNumber).toMatch(/^25\*+\d\d$/)
    const { data } = await p.call(fundAccount.history, { fundAccountNo: no } as never, { as: maker })
    expect(JSON.stringify(data)).not.toContain('25677')
  })

  it('tells what its channel says, where the channel is set up', async () => {
    expect(await p.call(fundAccount.check, { fundAccountNo: 'FA1' }, { as: maker })).toMatchObject({ code: 40901 })
  })
})

describe('paying', () => {
  beforeAll(() => p.fund('1000000.00'))

  it('is not left without an account while payouts wait', async () => {
    await p.db.withTx(tx => tx.exec(sql`update fund_account set short_amount = 1 where fund_account_no = 'FA1'`))
    await p.approved()
    await p.run()
    expect(await turn('FA1', false)).toMatchObject({ code: 40901, msg: expect.stringContaining('last account') })
    expect((await rowOf('FA1')).enabled).toBe('enabled')
    await p.db.withTx(tx => tx.exec(sql`update fund_account set short_amount = null`))
  })

  it('stops for the day at the cap of an account', async () => {
    const { data } = await p.call(fundAccount.detail, { fundAccountNo: 'FA1' } as never, { as: maker })
    const { version } = data as unknown as { version: number }
    const { channel: _, accountNumber: __, ...form } = account
    const capped = { ...form, fundAccountNo: 'FA1', accountRole: 'both', merchantNos: ['M1', 'M2'], version }
    const asked = await p.call(fundAccount.save, { ...capped, dailyCap: '400000.00' } as never, { as: maker })
    await agree(asked.data.approvalNo)
    await p.run()
    const made = [await p.approved(), await p.approved(), await p.approved()]
    await p.run()
    const states = await Promise.all(made.map(async one => (await p.code(one.loanCode)).waitReason))
    expect(states.sort()).toEqual(['cap_reached', null, null])
    expect((await rowOf('FA1')).usedToday).toBe('380000.00')
    p.clock.advance(86_400_000)
    await p.tick('payout.dispatch')
    await p.run()
    expect(p.sent).toHaveLength(4)
  })
})
