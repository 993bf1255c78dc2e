import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Money } from '../../../../core/rules/money.ts'
import { countOf, inTurn, many, rowsAndVersions } from '../../../../tests/races/resource.ts'
import { leaving } from '../../../money/spendable.ts'
import { at, copied, maybe, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, type Input } from '../../../testing/facts.ts'
import { named } from '../../../testing/order-lists.ts'
import {
  approved,
  asked,
  atBank,
  failed,
  form,
  ofNobody,
  ofRefund,
  overpaid,
  rejected,
  sent,
  verified,
} from './refund-made.facts.ts'

const { refund } = contract
const sends = [
  'drop index if exists gateway_attempt_running',
  'alter table gateway_attempt drop constraint if exists gateway_attempt_pkey cascade',
  'alter table gateway_attempt drop constraint if exists gateway_attempt_gateway_ref_key',
]
const promised = ['alter table overpayment drop constraint if exists overpayment_check']

const made = async (fixture: Fixture, refundNo: string, more: Input = {}) => ({
  no: refundNo,
  input: await ofRefund(fixture, refundNo, more),
})

const statement = (fixture: Fixture) => fixture.clock.now().toISOString().slice(0, 10)

const held = sql`
  select r.*, c.customer_name, c.phone from client_refund r join customer c using (customer_no)`

const lists = {
  refundNo: named('refundNo'),
  orderNo: named('orderNo'),
  serialNo: named('serialNo'),
  customerName: (row: Input, text: string) =>
    String(row.customerName).toLowerCase().startsWith(text.trim().toLowerCase()),
  makerName: (row: Input, text: string) => String(row.makerName).toLowerCase().includes(text.trim().toLowerCase()),
  mine: (row: Input, mine: boolean) => (row.makerNo === 'U1') === mine,
}

const fill = async (fixture: Fixture) => {
  const { refundNo } = await failed(fixture)
  const changes = `jsonb_build_object(${prefixed('refund_no')}, ${at('apply_time')}, ${at('submit_time')}, ${maybe('success_time', `x.apply_time + n % 4 * interval '1 hour'`)}, ${maybe('audit_time', `x.apply_time + n % 3 * interval '1 hour'`)}, 'refund_amount', 100 + n % 4 * 20, 'refund_status', (array['success', 'closed'])[1 + n % 2], 'refund_source', (array['overpaid', 'duplicate'])[1 + n % 2], 'same_payer', n % 2 = 0, 'serial_no', case when n % 2 = 0 then 'RS' || n end)`
  await copied(fixture, 'client_refund', `refund_no = '${refundNo}'`, changes)
}

/** The least of a refund besides its states. */
const least = {
  overpaymentNo: 'OV1',
  customerNo: 'CU1',
  merchantNo: 'M1',
  refundSource: 'overpaid',
  refundAmount: 1000,
  channel: 'mtn_momo',
  payeeName: 'Grace Nakato',
  payeeAccount: '256772000031',
  samePayer: true,
  refundReason: 'customer_asked',
  applyTime: '2026-03-02T07:00:00Z',
  submitTime: '2026-03-02T07:00:00Z',
  makerNo: 'U1',
  makerName: 'U1',
  askedBy: '{U1}',
}

export default facts({
  machines: {
    refund: { row: { ...least, refundNo: 'RF1', auditStatus: 'approved', verifyStatus: 'passed' } },
    refundAudit: { row: { ...least, refundNo: 'RF2', refundStatus: 'closed', verifyStatus: 'passed' } },
    refundVerification: { row: { ...least, refundNo: 'RF3', refundStatus: 'closed', auditStatus: 'pending' } },
  },
  commands: [
    {
      call: refund.resubmit,
      make: async fixture => {
        const of = await rejected(fixture)
        const { customerNo: _, ...input } = await form(fixture, of, fixture.boss)
        return made(fixture, of.refundNo, input)
      },
      race: { alsoBy: 'a file that shows why belongs to one record, once' },
    },
    {
      call: refund.editPayee,
      make: async fixture => {
        const { refundNo } = await failed(fixture)
        const attachNos = [await fixture.uploaded()]
        const payee = { channel: 'mtn_momo', payeeName: 'Grace Nakato', payeeAccount: '256772555444', attachNos }
        return made(fixture, refundNo, payee)
      },
      race: { alsoBy: 'a file that shows why belongs to one record, once' },
    },
    {
      call: refund.close,
      make: async fixture => made(fixture, (await failed(fixture)).refundNo, { reason: 'not wanted any more' }),
    },
    { call: refund.verify, make: async fixture => made(fixture, (await asked(fixture)).refundNo) },
    {
      call: refund.ignore,
      make: async fixture =>
        made(fixture, (await asked(fixture)).refundNo, { reason: 'seen at the desk', seen: ['id_picture'] }),
      race: { again: true },
    },
    {
      call: refund.approve,
      make: async fixture => {
        const { refundNo } = await verified(fixture)
        return { no: refundNo, input: { refundNos: [refundNo] } }
      },
    },
    {
      call: refund.reject,
      make: async fixture => made(fixture, (await verified(fixture)).refundNo, { rejectReason: 'amount_wrong' }),
    },
    {
      call: refund.revoke,
      make: async fixture => made(fixture, (await approved(fixture)).refundNo, { reason: 'looked again' }),
    },
    {
      call: refund.payout,
      make: async fixture => {
        const { refundNo } = await approved(fixture)
        return { no: refundNo, input: { refundNos: [refundNo], fundAccountNo: 'FA1' } }
      },
      race: { drop: sends },
    },
    {
      call: refund.again,
      make: async fixture => made(fixture, (await failed(fixture)).refundNo, { fundAccountNo: 'FA1' }),
      race: { drop: sends },
    },
    {
      call: refund.sent,
      make: async fixture => {
        const { refundNo } = await atBank(fixture)
        const evidence = await fixture.uploaded()
        return made(fixture, refundNo, { fundAccountNo: 'FA9', serialNo: `BK${refundNo}`, evidence })
      },
      race: { drop: sends, alsoBy: 'a file that shows why belongs to one record, once' },
    },
    {
      call: refund.confirm,
      make: async fixture => {
        const { refundNo } = await sent(fixture)
        await fixture.pass(31)
        const said = { result: 'success', serialNo: `CF${refundNo}`, statementDate: statement(fixture) }
        const third = await fixture.reviewer()
        const first = await ofRefund(fixture, refundNo, { ...said, evidence: await fixture.uploaded(third) })
        fixture.must(await fixture.ask(refund.confirm, first, { as: third }))
        return made(fixture, refundNo, { ...said, evidence: await fixture.uploaded() })
      },
      race: { drop: promised },
    },
    {
      call: refund.fromFlow,
      make: async fixture => {
        const no = await ofNobody(fixture)
        return { no, input: { flowNo: no, reason: 'belongs to nobody' } }
      },
      race: { drop: promised },
    },
  ],
  beginnings: [{ call: refund.submit, input: async fixture => form(fixture, await overpaid(fixture), fixture.boss) }],
  lists: [
    {
      list: refund.page,
      key: 'refundNo',
      first: true,
      fill,
      coarse: ['runningMinutes'],
      means: lists,
      holds: { key: 'refundNo', query: held },
    },
    {
      list: refund.auditPage,
      key: 'refundNo',
      coarse: ['runningMinutes', 'waitingMinutes'],
      means: lists,
      holds: { key: 'refundNo', query: held },
    },
    {
      list: refund.candidates,
      key: 'overpaymentNo',
      fill: async fixture => {
        for (let n = 0; n < 23; n++) await overpaid(fixture)
      },
      means: { customerNo: named('customerNo'), orderNo: named('orderNo') },
      holds: {
        key: 'overpaymentNo',
        query: sql`select v.overpayment_no, v.merchant_no, c.phone from overpayment v join customer c using (customer_no)`,
      },
    },
  ],
  records: [
    {
      fields: ['refundNo', 'refundNos'],
      table: 'client_refund',
      key: 'refund_no',
      make: async (fixture, merchantNo) => (await asked(fixture, {}, fixture.boss, merchantNo)).refundNo,
      owners: sql`select refund_no as no, merchant_no, '{}'::text[] as holders from client_refund`,
      unheld: true,
    },
    {
      fields: ['overpaymentNo'],
      table: 'overpayment',
      key: 'overpayment_no',
      make: async (fixture, merchantNo) => fixture.overpaymentOf((await overpaid(fixture, merchantNo)).orderNo),
      owners: sql`select overpayment_no as no, merchant_no, '{}'::text[] as holders from overpayment`,
      unheld: true,
    },
  ],
  calls: [{ call: refund.close, otherPerm: 'its checker may, and its maker with the code to ask for refunds' }],
  races: [
    {
      name: 'the overpayment of a customer, asked for by two refunds',
      rule: 'G6, M38: what is promised never exceeds what was credited',
      available: 1,
      async make(fixture, parallel) {
        const of = await overpaid(fixture)
        const whole = of.free.replace(/\.\d+$/, '.00')
        const inputs = await inTurn(
          many(parallel, i => i),
          () => form(fixture, of, fixture.boss, { refundAmount: whole }),
        )
        return { tries: inputs.map(input => () => fixture.ask(refund.submit, input, { as: fixture.boss })) }
      },
      kept: {
        by: rowsAndVersions,
        drop: ['drop index if exists client_refund_open', ...promised],
        at: /from overpayment where customer_no/,
      },
    },
    {
      name: 'the approval of a refund',
      rule: 'M42: a refund is approved once',
      available: 1,
      async make(fixture, parallel) {
        const { refundNo } = await verified(fixture)
        const checkers = [fixture.boss, await fixture.reviewer()]
        return {
          tries: many(
            parallel,
            i => () => fixture.ask(refund.approve, { refundNos: [refundNo] }, { as: checkers[i % 2]! }),
          ),
        }
      },
      kept: { by: rowsAndVersions },
    },
    {
      name: 'the balance that pays refunds',
      rule: 'G21: what leaves an account is there',
      available: 1,
      async make(fixture) {
        const refunds = [await approved(fixture), await approved(fixture)]
        const { surplus } = await fixture.one(
          sql<{
            surplus: Money
          }>`select balance - ${leaving(sql`'FA1'`)} - 1500 as surplus from ledger_balance where account_code = 'bank:FA1'`,
        )
        // What is posted meanwhile stays: the balance is shifted and shifted back.
        const shift = async (sign: 1 | -1): Promise<void> => {
          await fixture.exec(
            sql`update ledger_balance set balance = balance + ${sign}::numeric * ${surplus}::numeric where account_code = 'bank:FA1'`,
          )
        }
        await shift(-1)
        const proofs = [await fixture.stepUp(fixture.boss), await fixture.stepUp(fixture.boss)]
        return {
          tries: refunds.map(
            ({ refundNo }, i) =>
              () =>
                fixture.ask(
                  refund.payout,
                  { refundNos: [refundNo], fundAccountNo: 'FA1' },
                  { as: fixture.boss, headers: { 'x-step-up': proofs[i]! } },
                ),
          ),
          taken: () =>
            countOf(
              fixture,
              sql`select 1 from gateway_attempt where parent_kind = 'refund' and parent_no = any(${refunds.map(one => one.refundNo)})`,
            ),
          after: () => shift(1),
        }
      },
      at: /from ledger_balance where account_code = \$1 for update/,
      kept: { by: rowsAndVersions, at: /from ledger_balance where account_code = \$1/ },
    },
  ],
})
