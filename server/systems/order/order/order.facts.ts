import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { at, copied, maybe, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts } from '../../../testing/facts.ts'
import { fixtureTerms } from '../../../testing/kit.ts'
import { holdersOf } from '../../../testing/order-lists.ts'

const { order } = contract

/** Copies an order, with other times, amounts and days overdue. */
const copies = (fixture: Fixture, no: string) =>
  copied(
    fixture,
    'loan_order',
    `order_no = '${no}'`,
    `jsonb_build_object(${prefixed('order_no', 'third_order_no')}, 'pay_code', null, ${at('apply_time')}, ${at('status_time')},
      'payout_time', x.payout_time - n % 4 * interval '1 day', ${maybe('audit_time', "x.apply_time + n % 2 * interval '1 minute'")},
      ${maybe('settled_time', "x.apply_time + n % 4 * interval '1 day'")}, 'loan_amount', (1 + n % 4) * 50000, 'overdue_days', n % 3)`,
  )

/** Names in any case and with accents, texts with what a pattern would take for itself, empty values, and other people. */
const mixed = async (fixture: Fixture): Promise<void> => {
  await fixture.exec(sql`
    insert into customer select (jsonb_populate_record(c, jsonb_build_object('customer_no', 'CUX' || n, 'id_number', 'CM9000000' || n || 'XYZA',
      'phone', '25677000000' || n, 'member_level', (array['V1', 'V2', 'V3', 'V4'])[1 + n % 4], 'whitelisted', n % 2 = 0,
      'customer_name', (array['Émile Okello', 'émile Auma', 'EMILE ssempala', 'Nak%to Ruth', 'Nak_to Ruth', 'nakato ruth', 'Zoë Wasswa', 'O''Brien Moses'])[n]))).*
    from customer c, generate_series(1, 8) n where c.customer_no = (select min(customer_no) from customer)`)
  await fixture.exec(sql`
    with numbered as (select order_no, row_number() over (order by order_no) as n from loan_order)
    update loan_order o set customer_no = case when n % 3 > 0 then 'CUX' || 1 + n % 8 else customer_no end,
      incoming_channel = (array['Agent', 'agent', 'Àgent', '100%', 'a_b', null])[1 + n % 6], promotion_channel = (array['Radio', 'radio ', null])[1 + n % 3],
      model_level = (array['A', 'B', 'C', null])[1 + n % 4], loan_kind = (array['first', 'repeat'])[1 + n % 2], overdue = n % 5 = 0
    from numbered where numbered.order_no = o.order_no`)
}

export default facts({
  machines: {
    order: {
      row: {
        orderNo: 'LO1',
        thirdOrderNo: 'T1',
        merchantNo: 'M1',
        customerNo: 'CU1',
        productNo: 'P1',
        terms: JSON.stringify(fixtureTerms),
        requestedAmount: 200000,
        loanAmount: 200000,
        actualLoanAmount: 190000,
        term: 14,
        installmentCount: 2,
        loanKind: 'first',
        applyTime: '2026-03-02T07:00:00Z',
        statusTime: '2026-03-02T07:00:00Z',
        payoutType: 'wallet',
        payoutSubtype: 'mtn',
        cardholderName: 'Grace Nakato',
      },
      undriven: {
        'orders are cancelled by themselves only a day after a credit expired': [
          'pending_disbursement clock.autoCancel cancelled',
          'loan_failed clock.autoCancel cancelled',
          're_withdrawal_allowed clock.autoCancel cancelled',
        ],
        'a retrieved order is not looked at by the machine again': [
          'machine_refused retrieval.revert =M12.statusBefore',
        ],
      },
    },
    credit: {
      row: {
        creditNo: 'CR1',
        customerNo: 'CU1',
        creditExpiry: '2027-03-02',
        createdTime: '2026-03-02T07:00:00Z',
      },
      undriven: {
        'credit is granted to every customer, and never adjusted or reserved as a line of its own yet': [
          'granting credit.refuse expired',
          'granted credit.adjust granted',
          'granted credit.consume granted',
          'granted clock.expire expired',
          'expired credit.regrant granting',
        ],
      },
    },
    coupon: {
      row: {
        couponNo: 'CP1',
        customerNo: 'CU1',
        couponType: 'discount_coupon',
        faceAmount: 5000,
        startTime: '2026-03-02T07:00:00Z',
        expireTime: '2026-04-02T07:00:00Z',
        boundOrderNo: 'LO1',
        createdTime: '2026-03-02T07:00:00Z',
      },
    },
  },
  unguarded: {
    'customer.customer_status': 'follows from what the customer does',
    'customer.marital_status': 'a fact about a person and no state of a machine',
    'merchant_customer.marital_status': 'a fact about a person and no state of a machine',
  },
  around: async tx => {
    await tx.exec(sql`
      insert into customer (customer_no, customer_name, id_number, phone, credit_limit, remaining_limit, register_time)
      values ('CU1', 'Grace Nakato', 'CF0000000000A1', '256772000031', 500000, 300000, '2026-03-02T07:00:00Z')`)
  },
  lists: [
    {
      list: order.history,
      key: 'orderNo',
      asked: ({ paid }) => ({ orderNo: paid }),
      first: true,
      fill: async (fixture, { waiting, paid }) => {
        await copies(fixture, waiting)
        await copies(fixture, paid)
      },
      mix: mixed,
      means: { orderNo: (row, text: string) => row.orderNo !== text },
    },
    {
      list: order.follows,
      key: 'followNo',
      ownedBy: 'orderNo',
      asked: ({ paid }) => ({ orderNo: paid }),
      fill: async (fixture, { paid }) => {
        await fixture.exec(sql`
          insert into follow_record (follow_no, order_no, follow_result, created_by, created_time)
          select 'FO' || n % 7 || n, ${paid}, 'no_answer', ${fixture.boss.userNo}, timestamptz '2026-03-01 08:00Z' + n % 5 * interval '1 hour' from generate_series(1, 33) n`)
      },
      means: { orderNo: () => true },
    },
  ],
  records: [
    {
      fields: ['orderNo', 'orderNos', 'objectNo'],
      table: 'loan_order',
      key: 'order_no',
      make: async (_, __, paid) => paid.orderNo,
      owners: sql`select order_no as no, merchant_no, ${holdersOf} as holders from loan_order o`,
    },
  ],
})
