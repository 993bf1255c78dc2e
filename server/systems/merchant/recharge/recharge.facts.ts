import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, maybe, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, type Input, type MerchantNo, way } from '../../../testing/facts.ts'
import type { Person } from '../../../testing/kit.ts'
import { named } from '../../../testing/order-lists.ts'
import { begunItems } from '../../../testing/proven.ts'

const { recharge, common } = contract
let serials = 0

/** An own account for one merchant. */
const accountOf = async (fixture: Fixture, merchantNo: MerchantNo) => {
  const no = `FR${merchantNo}`
  await fixture.exec(sql`
    insert into fund_account (fund_account_no, account_name, account_role, lender_name, channel, account_number)
    values (${no}, ${`Top-ups ${merchantNo}`}, 'collection', 'Nile Credit', 'mtn_momo', ${`25677000040${merchantNo.slice(1)}`}) on conflict do nothing`)
  await fixture.exec(sql`insert into fund_account_merchant values (${no}, ${merchantNo}) on conflict do nothing`)
  await fixture.db.withTx(begunItems)
  return no
}

/** What a form asks for: half a million of a merchant. */
const form = async (fixture: Fixture, as: Person, merchantNo: MerchantNo = 'M1'): Promise<Input> => ({
  merchantNo,
  fundAccountNo: await accountOf(fixture, merchantNo),
  rechargeAmount: '500000.00',
  serialNo: `TOP${++serials}`,
  payerName: 'Boda Cash Uganda Limited',
  bankEntryTime: new Date(fixture.clock.now().getTime() - 3_600_000).toISOString(),
  receipt: await fixture.uploaded(as),
})

/** A top-up that somebody has booked: the second person unless the first is to. */
const booked = async (fixture: Fixture, as = fixture.second, merchantNo?: MerchantNo) =>
  String((await done(fixture, recharge.submit, await form(fixture, as, merchantNo), as)).rechargeNo)

const ofTopUp = async (fixture: Fixture, rechargeNo: string, more: Input = {}): Promise<Input> => ({
  rechargeNo,
  version: await fixture.versionOf('merchantRecharge', rechargeNo),
  ...more,
})
const known = { reason: 'seen in the bank portal' }
const confirmed = async (fixture: Fixture, merchantNo?: MerchantNo): Promise<string> => {
  const no = await booked(fixture, fixture.second, merchantNo)
  await done(fixture, recharge.approve, await ofTopUp(fixture, no, known))
  return no
}
const rejected = async (fixture: Fixture): Promise<string> => {
  const no = await booked(fixture, fixture.boss)
  await done(fixture, recharge.reject, await ofTopUp(fixture, no, { reason: 'no receipt' }), fixture.second)
  return no
}
const reversal = async (fixture: Fixture, no: string) =>
  ofTopUp(fixture, no, { reason: 'bounced', evidence: await fixture.uploaded() })

const lines = 33
/** Payments on a statement that nothing is booked for. */
const statement = async (fixture: Fixture) => {
  const fundAccountNo = await accountOf(fixture, 'M1')
  const day = '2026-01-15'
  await fixture.exec(sql`
    insert into statement (statement_no, fund_account_no, statement_date, opening, closing, line_sum, line_count, source, file_hash, created_by, created_time)
    values ('STR', ${fundAccountNo}, ${day}, 0, 0, 0, ${lines}, 'import', 'top-ups', 'system', now()) on conflict do nothing`)
  await fixture.exec(sql`
    insert into statement_line (line_no, statement_no, fund_account_no, statement_date, serial_no, direction, line_kind, amount, entry_time, payer_name, line_status)
    select 'SLR' || n, 'STR', ${fundAccountNo}, ${day}, 'SER' || n, 'in', 'payment', 1000 + n % 5, ${day}::timestamptz + n % 4 * interval '1 hour', (array['Somebody', null])[1 + n % 2], 'new'
    from generate_series(1, ${lines}) n`)
}

export default facts({
  machines: {
    merchantRecharge: {
      row: {
        rechargeNo: 'MR1',
        merchantNo: 'M1',
        rechargeAmount: 1000,
        fundAccountNo: 'FA1',
        serialNo: 'TOPROW',
        payerName: 'x',
        bankEntryTime: '2026-03-02T07:00:00Z',
        makerNo: 'U1',
        makerName: 'U1',
        createdTime: '2026-03-02T07:00:00Z',
        submitTime: '2026-03-02T07:00:00Z',
      },
    },
  },
  commands: [
    {
      call: recharge.approve,
      make: async fixture => {
        const no = await booked(fixture)
        return { no, input: await ofTopUp(fixture, no, known) }
      },
      race: { drop: ['drop trigger if exists merchant_recharge_confirmed on merchant_recharge'] },
    },
    {
      call: recharge.reject,
      make: async fixture => {
        const no = await booked(fixture)
        return { no, input: await ofTopUp(fixture, no, { reason: 'no receipt' }) }
      },
    },
    {
      call: recharge.resubmit,
      make: async fixture => {
        const no = await rejected(fixture)
        return { no, input: await ofTopUp(fixture, no, await form(fixture, fixture.boss)) }
      },
      race: { alsoBy: 'a file that shows why belongs to one record, once' },
    },
    {
      call: recharge.reverse,
      make: async fixture => {
        const no = await confirmed(fixture)
        return { no, input: await reversal(fixture, no) }
      },
      fires: { machine: 'M74', event: 'approval.submit', why: 'a second person takes it back' },
      race: {
        drop: ['drop index if exists approval_pending'],
        alsoBy: 'a file that shows why belongs to one record, once',
      },
    },
  ],
  beginnings: [{ call: recharge.submit, input: fixture => form(fixture, fixture.boss) }],
  approvals: [
    {
      action: 'recharge.reverse',
      ask: async fixture => {
        const no = await confirmed(fixture)
        return String((await done(fixture, recharge.reverse, await reversal(fixture, no))).approvalNo)
      },
    },
  ],
  lists: [
    {
      list: recharge.page,
      key: 'rechargeNo',
      fill: async fixture => {
        const no = await rejected(fixture)
        const changes = `jsonb_build_object(${prefixed('recharge_no', 'serial_no')}, ${at('created_time')}, ${at('bank_entry_time')}, 'recharge_amount', 1000 + n % 4 * 500, 'recharge_status', (array['pending', 'rejected'])[1 + n % 2], ${maybe('remark', `'r' || n % 3`)})`
        await copied(fixture, 'merchant_recharge', `recharge_no = '${no}'`, changes)
      },
      means: {
        serialNo: named('serialNo'),
        mine: (row, mine: boolean) => (row.makerNo === 'U1') === mine,
        noBankLine: (row, missing: boolean) => (row.rechargeStatus === 'confirmed' && !row.bankLine) === missing,
      },
      holds: { key: 'rechargeNo', query: sql`select * from merchant_recharge` },
    },
    { list: recharge.bankLines, key: 'lineNo', of: 'company', fill: statement },
  ],
  records: [
    {
      fields: ['rechargeNo'],
      table: 'merchant_recharge',
      key: 'recharge_no',
      make: (fixture, merchantNo) => booked(fixture, fixture.boss, merchantNo),
      owners: sql`select recharge_no as no, merchant_no, null::text[] as holders from merchant_recharge`,
      unheld: true,
    },
  ],
  ways: [
    way('a top-up is rejected, submitted again, confirmed and taken back', async fixture => {
      const no = await rejected(fixture)
      const again = await form(fixture, fixture.boss)
      await done(fixture, recharge.resubmit, await ofTopUp(fixture, no, again))
      await done(fixture, recharge.approve, await ofTopUp(fixture, no, known), fixture.second)
      const asked = await done(fixture, recharge.reverse, await reversal(fixture, no))
      await fixture.agree(String(asked.approvalNo))
    }),
    way('the reversal of a top-up is turned down', async fixture => {
      const asked = await done(fixture, recharge.reverse, await reversal(fixture, await confirmed(fixture)))
      const input = { approvalNo: asked.approvalNo, version: 0, reason: 'it did arrive' }
      await done(fixture, common.reject, input as never, fixture.second)
    }),
  ],
})
