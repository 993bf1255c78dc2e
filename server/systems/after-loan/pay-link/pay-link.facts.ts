import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { done, fresh } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'
import { holdersOf } from '../../../testing/order-lists.ts'

const { payLink } = contract
type MerchantNo = 'M1' | 'M2' | 'M3'

/** A link of an order that was paid out. */
const made = async (fixture: Fixture, merchantNo: MerchantNo = 'M1') => {
  const { orderNo } = await fixture.disbursed(merchantNo)
  return String((await done(fixture, payLink.create, { orderNo, amount: '20000.00' })).linkNo)
}

/** A link that a phone was asked to pay, and the reference that its network knows the payment by. */
const asked = async (fixture: Fixture) => {
  const linkNo = await made(fixture)
  const { linkCode } = (await fixture.rowOf('repaymentLink', linkNo)) as unknown as { linkCode: string }
  await done(fixture, payLink.pay, { linkCode, phone: '256772000031' })
  const { payRef } = await fixture.one(
    sql<{ payRef: string }>`select pay_ref from pay_link_ask where link_no = ${linkNo}`,
  )
  return { linkNo, payRef }
}

export default facts({
  machines: {
    repaymentLink: {
      row: {
        ...{ linkNo: 'PL1', orderNo: 'LO1', merchantNo: 'M1', customerNo: 'CU1', amount: 1000 },
        ...{ linkCode: '0123456789abcdef0123456789abcdef', flowNo: 'FLP', createdBy: 'U1', createdName: 'U1' },
        ...{ createdTime: '2026-03-02T07:00:00Z', expireTime: '2026-03-03T07:00:00Z' },
      },
    },
  },
  around: tx =>
    tx
      .exec(sql`
      insert into repay_flow (flow_no, channel, serial_no, flow_status, amount, entry_time, payment_code, fund_account_no, payer_name, source, merchant_no, created_by, created_time)
      values ('FLP', 'mtn_momo', 'LINK-FIXTURE', 'available', 1000, '2026-03-02T07:00:00Z', '7000000002', 'FA1', 'Payer', 'callback', 'M1', 'U1', now()) on conflict do nothing`)
      .then(() => undefined),
  commands: [
    {
      call: payLink.revoke,
      make: async fixture => {
        const linkNo = await made(fixture)
        return { no: linkNo, input: { linkNo, version: 0, reason: 'wrong amount' } }
      },
    },
  ],
  beginnings: [
    {
      call: payLink.create,
      input: async fixture => ({ orderNo: (await fixture.disbursed()).orderNo, amount: '20000.00' }),
    },
  ],
  ways: [
    way('a link is paid', async fixture => {
      const { payRef } = await asked(fixture)
      const time = fixture.clock.now().toISOString()
      const payer = '256772000031'
      fixture.received.push({
        ...{ kind: 'success', serialNo: fresh('LK'), amount: '20000.00', payer, time, externalId: payRef },
      })
      await fixture.worker.drain()
      await fixture.pass(1)
      await fixture.worker.drain()
    }),
    way('a link ends with its time', async fixture => {
      await made(fixture)
      await fixture.pass(25 * 60)
      await fixture.tick('payLink.clock')
    }),
  ],
  lists: [
    {
      list: payLink.page,
      key: 'linkNo',
      fill: async fixture => {
        const no = await made(fixture)
        const changes = `jsonb_build_object(${prefixed('link_no')}, ${at('created_time')}, 'expire_time', x.created_time, 'link_code', md5(n::text), 'amount', 1000 * (1 + n % 4), 'link_status', (array['expired', 'revoked'])[1 + n % 2])`
        await copied(fixture, 'pay_link', `link_no = '${no}'`, changes)
      },
    },
  ],
  calls: [
    { call: payLink.create, needs: ({ made: { orderNo } }) => ({ orderNo, amount: '20000.00' }) },
    { call: payLink.opened, about: 'is asked by who has the link, and shows nothing of a customer' },
    { call: payLink.pay, about: 'is asked by who has the link, and shows nothing of a customer' },
  ],
  records: [
    {
      fields: ['linkNo'],
      table: 'pay_link',
      key: 'link_no',
      make: made,
      owners: sql`select l.link_no as no, o.merchant_no, ${holdersOf} as holders from pay_link l join loan_order o using (order_no)`,
    },
  ],
})
