import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { done, waits } from '../../../testing/acts.ts'
import { at, copied, maybe, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, type Input, type Made } from '../../../testing/facts.ts'
import { holdersOf, numbersIn, orderFrom } from '../../../testing/order-lists.ts'
import { refused } from './payout-fixture.ts'

const { common, loan } = contract
const remark = { reason: 'wrong customer' }
const history = 'alter table order_payout_history drop constraint if exists order_payout_history_pkey'
const open = 'drop index if exists loan_code_open'
const pending = 'drop index if exists approval_pending'
const newWallet = '256772888777'
const ofCode = async (fixture: Fixture, loanCode: string, more: Input = {}): Promise<Made> => ({
  no: loanCode,
  input: { loanCode, version: await fixture.versionOf('loanCode', loanCode), ...more },
})
const ofCodes = (loanCode: string, more: Input = {}): Made => ({
  no: loanCode,
  input: { loanCodes: [loanCode], ...more },
})

const failed = (fixture: Fixture, failType: 'payee_invalid' | 'other' = 'payee_invalid') =>
  fixture.sent('M1', refused(failType))

const payee = async (fixture: Fixture, loanCode: string) => {
  const { cardholderName } = (await fixture.rowOf('loanCode', loanCode)) as unknown as { cardholderName: string }
  fixture.network.holders.set(newWallet, cardholderName)
  const evidence = await fixture.uploaded(fixture.boss)
  return { payoutType: 'wallet', payoutSubtype: 'mtn', walletAccount: newWallet, cardholderName, evidence }
}

const bankAccount = {
  payoutType: 'bank',
  payoutSubtype: 'bank_transfer',
  bankName: 'Stanbic Bank',
  bankCardNo: '9030001234567',
  cardholderName: 'Grace Nakato',
} as const

export default facts({
  machines: {
    loanCode: {
      row: {
        loanCode: 'LC1',
        orderNo: 'LO1',
        loanCodeSeq: 1,
        actualLoanAmount: 190000,
        payoutType: 'wallet',
        payoutSubtype: 'mtn',
        cardholderName: 'Grace Nakato',
        requestTime: '2026-03-02T07:00:00Z',
      },
    },
    gatewayAttempt: {
      row: {
        externalId: 'LC1-1',
        gatewayRef: 'ref-1',
        parentKind: 'loanCode',
        parentNo: 'LC1',
        attemptNo: 1,
        channel: 'mtn_momo',
        amount: 190000,
        payee: '256772000031',
        fundAccountNo: 'FA1',
        createdTime: '2026-03-02T07:00:00Z',
      },
    },
    confirmRecord: {
      row: { confirmNo: 'CF1', parentKind: 'loanCode', parentNo: 'LC1' },
    },
  },
  commands: [
    {
      call: loan.cancel,
      make: async fixture => ofCodes((await fixture.approved()).loanCode, { reason: 'customer_withdrew' }),
    },
    {
      call: loan.release,
      make: async fixture => {
        const { loanCode } = await fixture.approved()
        await fixture.exec(sql`update loan_code set wait_reason = 'blacklist_check' where loan_code = ${loanCode}`)
        return ofCode(fixture, loanCode, { reason: 'the entry is of another person' })
      },
      race: { again: true },
    },
    {
      call: loan.retry,
      make: async fixture => ofCodes((await failed(fixture, 'other')).loanCode),
    },
    {
      call: loan.userInfo,
      make: async fixture => {
        const { loanCode } = await failed(fixture)
        return ofCode(fixture, loanCode, await payee(fixture, loanCode))
      },
      fires: waits,
      race: { drop: [history] },
    },
    {
      call: loan.recreate,
      make: async fixture => {
        const { loanCode } = await failed(fixture)
        const { input } = await ofCode(fixture, loanCode, await payee(fixture, loanCode))
        const { approvalNo } = fixture.must(await fixture.call(loan.userInfo, input as never, { as: fixture.boss }))
        fixture.must(await fixture.call(common.approve, { approvalNo, version: 0 }, { as: fixture.second }))
        return ofCode(fixture, loanCode)
      },
      race: { drop: [open] },
    },
    {
      call: loan.allowReWithdraw,
      make: async fixture => {
        const { orderNo } = await failed(fixture)
        return { no: orderNo, input: { orderNo, version: await fixture.versionOf('order', orderNo) } }
      },
    },
    {
      call: loan.channel,
      make: async fixture => ofCodes((await fixture.approved()).loanCode, { fundAccountNo: 'FA1' }),
      race: { again: true },
    },
    {
      call: loan.confirm,
      make: async fixture => {
        const { loanCode } = await fixture.sent()
        await fixture.pass(31)
        const statementDate = fixture.clock.now().toISOString().slice(0, 10)
        const { no, input } = await ofCode(fixture, loanCode, {
          result: 'success',
          serialNo: `MP-${loanCode}`,
          statementDate,
        })
        const first = { ...input, evidence: await fixture.uploaded(fixture.second) }
        fixture.must(await fixture.call(loan.confirm, first as never, { as: fixture.second }))
        const version = await fixture.versionOf('loanCode', loanCode)
        return { no, input: { ...input, version, evidence: await fixture.uploaded() } }
      },
      race: {
        alsoBy:
          'a person confirms once: the row refuses the same person as the second, and the bills of an order exist once',
      },
    },
    {
      call: loan.cancelPaid,
      make: async fixture => ofCode(fixture, (await fixture.disbursed()).loanCode, remark),
      fires: waits,
      race: { drop: [pending] },
    },
    {
      call: loan.abortCancelPaid,
      make: async fixture => {
        const { loanCode, approvalNo } = await fixture.requested()
        await fixture.agree(approvalNo)
        return ofCode(fixture, loanCode)
      },
    },
  ],
  approvals: [
    {
      action: 'payout.cancelPaid',
      ask: async fixture => (await fixture.requested()).approvalNo,
    },
    {
      action: 'payout.correctPayee',
      ask: async fixture => {
        const { loanCode } = await fixture.sent('M1', refused('payee_invalid'))
        const evidence = await fixture.uploaded(fixture.boss)
        const version = await fixture.versionOf('loanCode', loanCode)
        const input = { loanCode, version, ...bankAccount, evidence }
        return String((await done(fixture, loan.userInfo, input)).approvalNo)
      },
    },
    {
      action: 'payout.acceptCodePayee',
      ask: async fixture => {
        const { loanCode } = await fixture.sent('M1', refused('payee_invalid'))
        await fixture.exec(sql`update loan_code set verify_result = 'failed' where loan_code = ${loanCode}`)
        const evidence = await fixture.uploaded(fixture.boss)
        const version = await fixture.versionOf('loanCode', loanCode)
        return String((await done(fixture, loan.markChecked, { loanCode, version, evidence })).approvalNo)
      },
    },
  ],
  lists: [
    {
      list: loan.page,
      key: 'loanCode',
      fill: async (fixture, { paid }) => {
        await copied(
          fixture,
          'loan_code',
          `order_no = '${paid}'`,
          `jsonb_build_object(${prefixed('loan_code', 'order_no')}, ${at('request_time')}, ${maybe('finish_time', "x.request_time + n % 2 * interval '1 minute'")}, 'actual_loan_amount', 1000 + n % 4 * 1000, 'serial_no', null)`,
        )
      },
      means: {
        keyword: (row, text: string) =>
          [row.loanCode, row.orderNo, row.serialNo, row.thirdOrderNo, ...(row.sent as string[])].some(one =>
            numbersIn(text).includes(String(one)),
          ),
        waitsForApproval: (row, waits: boolean) => (row.pendingApproval !== null) === waits,
      },
      holds: {
        key: 'loanCode',
        query: sql`
          select lc.loan_code, lc.loan_code as keyword, lc.fund_account_no, lc.serial_no, c.phone, o.merchant_no, o.product_no, o.loan_kind,
            array(select t.no from gateway_attempt g, lateral (values (g.external_id), (g.serial_no)) t (no) where g.parent_no = lc.loan_code and t.no is not null) as sent
          from loan_code lc join ${orderFrom} on o.order_no = lc.order_no`,
      },
    },
  ],
  records: [
    {
      fields: ['loanCode', 'loanCodes'],
      table: 'loan_code',
      key: 'loan_code',
      make: async (_, __, paid) => paid.loanCode,
      owners: sql`select loan_code as no, merchant_no, ${holdersOf} as holders from loan_code join loan_order o using (order_no)`,
    },
  ],
  calls: [
    {
      call: loan.userInfo,
      otherPerm: 'correcting the payee prepares the new code; it may be done in the states from which one can be made',
    },
  ],
})
