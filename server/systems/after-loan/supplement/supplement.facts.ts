import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { done, fresh, calls as hears } from '../../../testing/acts.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'

const { supplement } = contract

/** What a customer shows: a payment of the last hour over the network. */
const shown = async (fixture: Fixture, as = fixture.boss) => ({
  fundAccountNo: 'FA1',
  serialNo: fresh('SUP'),
  amount: '50000.00',
  entryTime: fixture.clock.now().toISOString(),
  paymentCode: '7000000002',
  payerName: 'Sarah Nakato',
  payerAccount: '256772000031',
  attachNos: [await fixture.uploaded(as)],
})

const sent = async (fixture: Fixture, more: Record<string, unknown> = {}) => {
  const input = { ...(await shown(fixture)), ...more }
  const { supplementNo, flowNo } = await done(fixture, supplement.submit, input)
  return { ...input, supplementNo: String(supplementNo), flowNo: String(flowNo) }
}

export default facts({
  commands: [
    {
      call: supplement.approve,
      make: async fixture => {
        const { supplementNo, flowNo } = await sent(fixture)
        return { no: flowNo, input: { supplementNo, version: 0, seenInPortal: true }, as: fixture.second }
      },
    },
    {
      call: supplement.reject,
      make: async fixture => {
        const { supplementNo, flowNo } = await sent(fixture)
        return { no: flowNo, input: { supplementNo, version: 0, reason: 'not readable' }, as: fixture.second }
      },
    },
  ],
  beginnings: [{ call: supplement.submit, input: shown }],
  ways: [
    way('a receipt is supplemented, and the network announces it before anybody decides', async fixture => {
      const { orderNo } = await fixture.disbursed()
      const { payCode } = (await fixture.rowOf('order', orderNo)) as unknown as { payCode: string }
      const { serialNo, amount } = await sent(fixture, { paymentCode: payCode })
      const time = fixture.clock.now().toISOString()
      fixture.received.push({ kind: 'success', serialNo, amount, payer: '256772000031', time, externalId: payCode })
      await hears(fixture, { receipt: serialNo })
    }),
  ],
  lists: [
    {
      list: supplement.page,
      key: 'supplementNo',
      fill: async fixture => {
        await fixture.exec(sql`
          insert into repay_flow (flow_no, channel, serial_no, flow_status, amount, entry_time, payment_code, fund_account_no, payer_name, source, merchant_no, created_by, created_time)
          select 'FLS' || n, 'mtn_momo', 'SUP' || n % 7 || '-' || n, (array['supplement_review', 'available', 'void'])[1 + n % 3], 1000 + n % 4 * 1000, timestamptz '2026-02-20 08:00Z' + n % 5 * interval '1 day',
            '7000000002', 'FA1', 'Payer', 'supplement', 'M1', 'U1', ${fixture.clock.now()} from generate_series(1, 33) n`)
        await fixture.exec(sql`
          insert into flow_supplement (supplement_no, flow_no, channel_answer, maker_no, maker_name, created_time)
          select 'SU' || n % 7 || '-' || n, 'FLS' || n, (array['confirmed', 'cannot'])[1 + n % 2], 'U1', (array['Grace', 'Paul'])[1 + n % 2], ${fixture.clock.now()}::timestamptz - n % 5 * interval '7 hours' from generate_series(1, 33) n`)
      },
      means: {
        makerName: (row, text: string) => String(row.makerName).toLowerCase().startsWith(text.toLowerCase()),
        mine: (row, is: boolean) => (row.makerNo === 'U1') === is,
      },
      holds: {
        key: 'supplementNo',
        query: sql`select supplement_no, fund_account_no, maker_no from flow_supplement join repay_flow using (flow_no)`,
      },
    },
  ],
  records: [
    {
      fields: ['supplementNo'],
      table: 'flow_supplement',
      key: 'supplement_no',
      make: async (fixture, _, { orderNo }) => {
        const { payCode } = (await fixture.rowOf('order', orderNo)) as unknown as { payCode: string }
        return (await sent(fixture, { paymentCode: payCode })).supplementNo
      },
      owners: sql`select s.supplement_no as no, f.merchant_no, array[f.created_by] as holders from flow_supplement s join repay_flow f using (flow_no) where f.merchant_no is not null`,
    },
  ],
  calls: [
    { call: supplement.submit, about: 'makes a receipt; whose it is follows from the order or the pay code' },
    { call: supplement.check, about: 'is about an account and a number of the network' },
  ],
})
