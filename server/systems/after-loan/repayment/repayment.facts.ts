import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Money } from '../../../../core/rules/money.ts'
import { inTurn, many, rowsAndVersions } from '../../../../tests/races/resource.ts'
import { done, waits } from '../../../testing/acts.ts'
import { type Fixture, facts } from '../../../testing/facts.ts'
import { holdersOf, named, ofOrder, ofOrders, orderFrom } from '../../../testing/order-lists.ts'
import { couponFor } from '../../operation/coupon/coupon.facts.ts'

const { repay } = contract
const reason = 'wrong customer'
const remark = { reason }
const sequence = 'alter table repay_record drop constraint if exists repay_record_order_no_record_seq_key'

/** An order of which a hundred shillings are left. */
const nearlySettled = async (fixture: Fixture): Promise<string> => {
  const { orderNo } = await fixture.disbursed()
  const { settleAmount } = fixture.must(
    await fixture.call(repay.trial, { orderNo, repayType: 'settle', flows: [] }, { as: fixture.boss }),
  ) as { settleAmount: string }
  const most = (Number(settleAmount) - 100).toFixed(2)
  fixture.must(
    await fixture.call(repay.commit, await fixture.tried(fixture.typed(orderNo, most)), { as: fixture.boss }),
  )
  return orderNo
}

/** The quote of an extension of an order. */
export const quoted = async (fixture: Fixture, orderNo: string): Promise<string> => {
  const version = await fixture.versionOf('order', orderNo)
  return String((await done(fixture, repay.extensionQuote, { orderNo, version })).billExtensionNo)
}

export default facts({
  machines: {
    plan: {
      row: {
        billNo: 'B1',
        orderNo: 'LO1',
        installmentNo: 1,
        dueDate: '2026-03-09',
        principalDue: 100000,
        interestDue: 0,
        serviceFeeDue: 0,
        managementFeeDue: 0,
      },
      undriven: {
        'nobody is exempted from penalties yet': [
          'pending plan.exempt pending',
          'partial plan.exempt partial',
          'pending plan.exempt paid',
        ],
      },
    },
    repaymentRecord: {
      row: {
        repaymentNo: 'RP1',
        orderNo: 'LO1',
        repayType: 'partial',
        recordSeq: 1,
        amount: 50000,
        valueDate: '2026-03-02',
        repaymentTime: '2026-03-02T07:00:00Z',
        postedBy: 'U1',
        postedName: 'U1',
        trial: '{}',
        requestId: 'request-1',
      },
      undriven: {
        'one rollback serves every kind of record': ['posted rollback.settle rolled_back'],
      },
    },
    extension: {
      row: {
        billExtensionNo: 'EX1',
        orderNo: 'LO1',
        billNo: 'B1',
        businessDate: '2026-03-02',
        extensionFee: 1000,
        amount: 1500,
        dueDate: '2026-03-09',
        newDueDate: '2026-03-16',
        extensionCount: 1,
        extensionsAllowed: 2,
        createdBy: 'U1',
        createdName: 'U1',
        createdTime: '2026-03-02T07:00:00Z',
      },
    },
    overpayment: {
      row: { overpaymentNo: 'OV1', customerNo: 'CU1', merchantNo: 'M1', credited: 5000 },
    },
  },
  commands: [
    {
      call: repay.commit,
      make: async fixture => {
        const { orderNo } = await fixture.disbursed()
        return { no: orderNo, input: await fixture.tried(fixture.typed(orderNo, '250000.00', 'settle')) }
      },
      race: { drop: ['drop index if exists repay_flow_serial', sequence] },
    },
    {
      call: repay.extensionCancel,
      make: async fixture => {
        const { orderNo } = await fixture.disbursed()
        const billExtensionNo = await quoted(fixture, orderNo)
        return { no: billExtensionNo, input: { billExtensionNo, version: 0 } }
      },
    },
    {
      call: repay.zeroSettle,
      make: async fixture => {
        const no = await nearlySettled(fixture)
        const { list } = fixture.must(
          await fixture.call(repay.zeroPreview, { orderNos: [no] }, { as: fixture.boss }),
        ) as {
          list: { trialKey: string }[]
        }
        return { no, input: { orderNos: [no], trialKeys: list.map(row => row.trialKey) } }
      },
      race: { drop: [sequence] },
    },
    {
      call: repay.reuseOverflow,
      make: async fixture => {
        const earlier = await fixture.repaid('M1', '250000.00', 'settle')
        const { orderNo } = await fixture.disbursed('M1', earlier.orderNo)
        const input = { orderNo, version: await fixture.versionOf('order', orderNo), amount: '1000.00' }
        return { no: await fixture.overpaymentOf(orderNo), input }
      },
      race: { drop: [sequence] },
    },
    {
      call: repay.rollback,
      make: async fixture => {
        const { repaymentNo } = await fixture.repaid()
        return { no: repaymentNo, input: { repaymentNo, version: 0, ...remark } }
      },
      fires: waits,
      race: { drop: ['drop index if exists approval_pending'] },
    },
  ],
  beginnings: [
    {
      call: repay.extensionQuote,
      input: async fixture => {
        const { orderNo } = await fixture.disbursed()
        return { orderNo, version: await fixture.versionOf('order', orderNo) }
      },
    },
  ],
  approvals: [
    {
      action: 'repay.rollback',
      ask: async fixture => {
        const { repaymentNo } = await fixture.repaid()
        return String((await done(fixture, repay.rollback, { repaymentNo, version: 0, reason })).approvalNo)
      },
    },
  ],
  lists: [
    {
      list: repay.page,
      key: 'orderNo',
      fill: async (fixture, { paid }) => {
        await fixture.exec(sql`
          insert into repay_plan
          select (jsonb_populate_record(b, jsonb_build_object('bill_no', b.bill_no || o.order_no, 'order_no', o.order_no, 'due_date', b.due_date - length(o.order_no) % 2))).*
          from repay_plan b, loan_order o where b.order_no = ${paid} and o.order_no like ${`${paid}-%`} and o.overdue_days <> 1`)
        await fixture.exec(sql`
          update loan_order set terms = terms || '{"earlySettlement": "proRata"}' where order_no like ${`${paid}-%`} and loan_amount = 50000`)
      },
      means: {
        ...ofOrders,
        thirdOrderNo: named('thirdOrderNo'),
        hasOverflow: (row, has: boolean) => Number(row.held) > 0 === has,
        hasFlow: (row, has: boolean) => row.waits === has,
      },
      holds: {
        key: 'orderNo',
        query: sql`
          select ${ofOrder}, (select v.credited - v.refunded - v.reapplied from overpayment v where v.customer_no = o.customer_no) as held,
            (exists (select 1 from repay_flow f where f.flow_status in ('available', 'partly_used') and (f.customer_no = o.customer_no or f.payment_code = o.pay_code))) as waits
          from ${orderFrom}`,
      },
    },
    {
      list: repay.bills,
      key: 'billNo',
      fill: async fixture => {
        await fixture.exec(sql`update loan_order set terms = terms || '{"track": "stage"}'`)
      },
      means: {
        ...ofOrders,
        thirdOrderNo: named('thirdOrderNo'),
        overdue: (row, is: boolean) => Number(row.overdueDays) > 0 === is,
        hasOverflow: (row, has: boolean) => Number(row.held) > 0 === has,
        hasFlow: (row, has: boolean) => row.waits === has,
      },
      holds: {
        key: 'billNo',
        query: sql`
          select b.bill_no, o.customer_no, o.merchant_no, o.product_no, o.loan_kind, o.payout_time, c.phone, c.id_number,
            (select v.credited - v.refunded - v.reapplied from overpayment v where v.customer_no = o.customer_no) as held,
            (exists (select 1 from repay_flow f where f.flow_status in ('available', 'partly_used') and (f.customer_no = o.customer_no or f.payment_code = o.pay_code))) as waits
          from ${orderFrom} join repay_plan b on b.order_no = o.order_no`,
      },
    },
  ],
  records: [
    { fields: ['billNo'], table: 'repay_plan', key: 'bill_no' },
    {
      fields: ['billExtensionNo'],
      table: 'extension',
      key: 'bill_extension_no',
      make: async (fixture, merchantNo) => quoted(fixture, (await fixture.disbursed(merchantNo)).orderNo),
      owners: sql`select bill_extension_no as no, merchant_no, ${holdersOf} as holders from extension join loan_order o using (order_no)`,
    },
    {
      fields: ['repaymentNo'],
      table: 'repay_record',
      key: 'repayment_no',
      make: async (_, __, paid) => paid.repaymentNo,
      owners: sql`select repayment_no as no, merchant_no, ${holdersOf} as holders from repay_record join loan_order o using (order_no)`,
    },
  ],
  calls: [
    {
      call: repay.commit,
      otherPerm: 'the order ends by itself when nothing is left; the form asks whether it still can',
    },
    {
      call: repay.zeroSettle,
      otherPerm: 'the order ends by itself when nothing is left; the form asks whether it still can',
    },
    {
      call: repay.zeroPreview,
      leavesOut: ({ data }) =>
        (data as { allowed: number; list: { reason: string }[] }).list.every(row => row.reason === 'Record not found'),
    },
  ],
  races: [
    {
      name: 'a coupon at several repayments',
      rule: 'G13, M50: a coupon is used once',
      available: 1,
      async make(fixture, parallel) {
        const first = await fixture.disbursed()
        const orders = [
          first,
          ...(await inTurn(
            many(2, i => i),
            () => fixture.disbursed('M1', first.orderNo),
          )),
        ]
        const { customerNo } = (await fixture.rowOf('order', first.orderNo)) as unknown as { customerNo: string }
        const couponNo = await couponFor(fixture, customerNo)
        const inputs = await inTurn(orders, ({ orderNo }) =>
          fixture.tried({ ...fixture.typed(orderNo, '20000.00'), couponNo }),
        )
        return {
          tries: many(Math.min(parallel, 3), i => () => fixture.call(repay.commit, inputs[i]!, { as: fixture.boss })),
        }
      },
      at: /for update of c/,
      kept: { by: rowsAndVersions, at: /from coupon c left join/ },
    },
    {
      name: 'the overpayment of a customer',
      rule: 'G6, M38: what is reserved and used never exceeds what was credited',
      available: 1,
      async make(fixture, parallel) {
        const earlier = await fixture.repaid('M1', '250000.00', 'settle')
        const held = await fixture.one(sql<{ customerNo: string; free: Money }>`
        select customer_no, (credited - refunded - reapplied - reserved)::numeric(18,2) as free from overpayment join loan_order using (customer_no) where order_no = ${earlier.orderNo}`)
        const orders = [await fixture.disbursed('M1', earlier.orderNo), await fixture.disbursed('M1', earlier.orderNo)]
        const inputs = await inTurn(orders, async ({ orderNo }) => ({
          orderNo,
          version: await fixture.versionOf('order', orderNo),
          amount: held.free,
        }))
        return {
          tries: many(parallel, i => () => fixture.call(repay.reuseOverflow, inputs[i % 2]!, { as: fixture.boss })),
        }
      },
      kept: {
        by: rowsAndVersions,
        drop: ['alter table overpayment drop constraint overpayment_check'],
        at: /from overpayment where customer_no/,
      },
    },
  ],
})
