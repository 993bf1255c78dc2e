import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { addDays, eatDate } from '../../../../core/rules/time.ts'
import { done, fresh } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'
import { holdersOf } from '../../../testing/order-lists.ts'
import { received } from '../../../testing/received.ts'

const { delayed } = contract
type MerchantNo = 'M1' | 'M2' | 'M3'

/** A receipt of today for an order of which everything has been due since yesterday. */
const claim = async (fixture: Fixture, merchantNo: MerchantNo = 'M1', as = fixture.boss) => {
  const { orderNo } = await fixture.disbursed(merchantNo)
  const now = fixture.clock.now()
  const dueDate = addDays(eatDate(now), -1)
  await fixture.exec(sql`update loan_order set payout_date = ${addDays(dueDate, -14)} where order_no = ${orderNo}`)
  await fixture.exec(sql`update repay_plan set due_date = ${dueDate} where order_no = ${orderNo}`)
  const { payCode } = (await fixture.rowOf('order', orderNo)) as unknown as { payCode: string }
  const flowNo = await received(fixture.db, {
    ...{ serialNo: fresh('LATE'), amount: '20000.00', entryTime: now.toISOString() },
    ...{ paymentCode: payCode, merchantNo },
  })
  return { flowNo, orderNo, claimedDate: dueDate, attachNos: [await fixture.uploaded(as)] }
}

const asked = async (fixture: Fixture, merchantNo?: MerchantNo) =>
  String((await done(fixture, delayed.apply, await claim(fixture, merchantNo))).delayNo)

export default facts({
  machines: {
    delayedArrival: {
      row: {
        delayNo: 'DA1',
        flowNo: 'FLD',
        orderNo: 'LO1',
        amount: 1000,
        dueDate: '2026-03-01',
        claimedDate: '2026-03-01',
        makerNo: 'U1',
        makerName: 'U1',
        createdTime: '2026-03-02T07:00:00Z',
      },
    },
  },
  around: tx =>
    tx
      .exec(sql`
      insert into repay_flow (flow_no, channel, serial_no, flow_status, amount, entry_time, payment_code, fund_account_no, payer_name, source, merchant_no, created_by, created_time)
      values ('FLD', 'mtn_momo', 'LATE-FIXTURE', 'available', 1000, '2026-03-02T07:00:00Z', '7000000002', 'FA1', 'Payer', 'supplement', 'M1', 'U1', now()) on conflict do nothing`)
      .then(() => undefined),
  commands: [
    {
      call: delayed.audit,
      make: async fixture => {
        const delayNo = await asked(fixture)
        return { no: delayNo, input: { delayNo, version: 0, decision: 'pass' }, as: fixture.second }
      },
      race: { drop: ['alter table repay_record drop constraint if exists repay_record_order_no_record_seq_key'] },
    },
    {
      call: delayed.withdraw,
      make: async fixture => {
        const delayNo = await asked(fixture)
        return { no: delayNo, input: { delayNo, version: 0 } }
      },
    },
  ],
  beginnings: [{ call: delayed.apply, input: fixture => claim(fixture) }],
  ways: [
    way('a claim is refused', async fixture => {
      const delayNo = await asked(fixture)
      const input = { delayNo, version: 0, decision: 'reject', reason: 'paid late' }
      await done(fixture, delayed.audit, input, fixture.second)
    }),
  ],
  lists: [
    {
      list: delayed.page,
      key: 'delayNo',
      fill: async fixture => {
        const no = await asked(fixture)
        const changes = `jsonb_build_object(${prefixed('delay_no')}, ${at('created_time')}, 'amount', 1000 * (1 + n % 4), 'delay_status', (array['rejected', 'withdrawn'])[1 + n % 2])`
        await copied(fixture, 'delayed_arrival', `delay_no = '${no}'`, changes)
      },
      means: { mine: (row, is: boolean) => (row.makerNo === 'U1') === is },
      holds: { key: 'delayNo', query: sql`select delay_no, maker_no from delayed_arrival` },
    },
  ],
  calls: [
    { call: delayed.check, needs: ({ made }) => ({ orderNo: made.orderNo, flowNo: made.flowNo }) },
    { call: delayed.apply, needs: ({ made }) => ({ orderNo: made.orderNo }) },
  ],
  records: [
    {
      fields: ['delayNo'],
      table: 'delayed_arrival',
      key: 'delay_no',
      make: asked,
      owners: sql`select d.delay_no as no, o.merchant_no, ${holdersOf} as holders from delayed_arrival d join loan_order o using (order_no)`,
    },
  ],
})
