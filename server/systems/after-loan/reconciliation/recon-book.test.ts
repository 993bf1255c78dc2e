import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { text } from '../../../../core/i18n/server.ts'
import { openRecon } from './recon-fixture.ts'

const { recon } = contract
const fixture = await openRecon()
const { p, rows, endsDay, items } = fixture
const perms = ['fund:recon:page', 'fund:recon:handle', 'repay:flow:commit']
const lead = await p.officer({ perms })

beforeEach(() => fixture.reset())
afterAll(() => p.close())

/** Money that a statement shows and nobody announced, without a payer: it waits for a person. */
const stray = async (serialNo: string) => {
  await endsDay([{ serialNo, direction: 'in', amount: '7000.00', narrative: 'cash at the counter' }])
  const [item] = (await items()).filter(one => one.reference === serialNo)
  return { reconItemNo: String(item?.reconItemNo), version: Number(item?.version) }
}
const book = (input: { reconItemNo: string; version: number }) => p.call(recon.book, input, { as: lead })

describe('money that only a statement shows', () => {
  it('becomes a receipt once, by a person, and the difference ends', async () => {
    const input = await stray('COUNTER1')
    const { data } = await book(input)
    expect(await rows(sql`select flow_no, amount, source from repay_flow where serial_no = 'COUNTER1'`)).toEqual([
      { flowNo: data.flowNo, amount: '7000.00', source: 'import' },
    ])
    expect((await items()).filter(one => one.reference === 'COUNTER1')).toMatchObject([
      { reconStatus: 'explained', gap: '0.00', handlerNo: lead.userNo },
    ])
    expect((await book(input)).code).toBe(40901)
    expect(await fixture.broken()).toEqual([])
  })

  it('stays a difference on an account that receives no repayments, and says what to do', async () => {
    const input = await stray('COUNTER2')
    const role = (to: string) =>
      p.db.withTx(tx => tx.exec(sql`update fund_account set account_role = ${to} where fund_account_no = 'FA1'`))
    await role('payout')
    expect(await book(input)).toMatchObject({ code: 40901, msg: text('en', 'errors.accountReceivesNothing') })
    await role('both')
    expect((await items()).filter(one => one.reference === 'COUNTER2')).toMatchObject([{ reconStatus: 'open' }])
  })

  it('is shown with what stands open on the other side', async () => {
    const { reconItemNo } = await stray('COUNTER3')
    const { data } = await p.call(recon.item, { reconItemNo }, { as: lead })
    expect(data).toMatchObject({ line: { serialNo: 'COUNTER3', amount: '7000.00' }, booking: null, lines: [] })
    const found = await p.call(recon.runPage, {}, { as: lead })
    const [run] = found.data.list
    const one = await p.call(recon.runDetail, { reconNo: String(run?.reconNo) }, { as: lead })
    expect(one.data.items.map(item => item.reconItemNo)).toContain(reconItemNo)
  })
})
