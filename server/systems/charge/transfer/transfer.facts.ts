import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { countOf, many, rowsAndVersions } from '../../../../tests/races/resource.ts'
import { at, copied, maybe, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, type Input } from '../../../testing/facts.ts'
import { named } from '../../../testing/order-lists.ts'
import { accountsOf, approved, asked, failed, form, ofTransfer, rejected, sent } from './transfer-made.facts.ts'

const { transfer } = contract
const sends = [
  'drop index if exists gateway_attempt_running',
  'alter table gateway_attempt drop constraint if exists gateway_attempt_pkey cascade',
  'alter table gateway_attempt drop constraint if exists gateway_attempt_gateway_ref_key',
]
const once = 'alter table transfer_approval drop constraint if exists transfer_approval_pkey'

const made = async (fixture: Fixture, no: string, more: Input = {}) => ({
  no,
  input: await ofTransfer(fixture, no, more),
})

const held = sql`
  select t.*, f.lender_name from transfer_apply t join fund_account f on f.fund_account_no = t.from_account_no`
const contains = (name: string) => (row: Input, text: string) =>
  String(row[name]).toLowerCase().includes(text.trim().toLowerCase())
const means = {
  transferNo: named('transferNo'),
  serialNo: named('serialNo'),
  lenderName: contains('lenderName'),
  makerName: contains('makerName'),
  mine: (row: Input, mine: boolean) => (row.makerNo === 'U1') === mine,
  notArrived: (row: Input, open: boolean) => (row.transferStatus === 'paid' && row.arriveTime === null) === open,
}

export default facts({
  machines: {
    transferApplication: {
      row: {
        transferNo: 'TF1',
        fromAccountNo: 'FA1',
        toAccountNo: 'FT1',
        transferAmount: 1000,
        transferPurpose: 'sweep',
        approvalNeeded: 1,
        checkerCap: 1,
        dualCap: 1,
        fromBalanceThen: 0,
        toBalanceThen: 0,
        applyTime: '2026-03-02T07:00:00Z',
        submitTime: '2026-03-02T07:00:00Z',
        makerNo: 'U1',
        makerName: 'U1',
      },
    },
  },
  around: async tx => {
    await tx.exec(sql`
      insert into fund_account (fund_account_no, account_name, account_role, lender_name, channel, account_number)
      values ('FT1', 'Wallet', 'collection', 'Nile Credit', 'mtn_momo', '256770009999') on conflict do nothing`)
  },
  commands: [
    {
      call: transfer.resubmit,
      make: async fixture => made(fixture, await rejected(fixture), await form(fixture, fixture.boss)),
      race: { alsoBy: 'a file that shows why belongs to one record, once' },
    },
    {
      call: transfer.giveUp,
      make: async fixture => made(fixture, await asked(fixture, {}, fixture.boss), { reason: 'not needed' }),
    },
    { call: transfer.approve, make: async fixture => made(fixture, await asked(fixture)), race: { drop: [once] } },
    { call: transfer.reject, make: async fixture => made(fixture, await asked(fixture), { reason: 'no paper' }) },
    { call: transfer.payout, make: async fixture => made(fixture, await approved(fixture)), race: { drop: sends } },
    {
      call: transfer.sent,
      make: async fixture => {
        const { bank } = await accountsOf(fixture)
        const no = await approved(fixture, { fromAccountNo: bank })
        return made(fixture, no, { serialNo: `BT${no}`, evidence: await fixture.uploaded() })
      },
      race: { drop: sends, alsoBy: 'a file that shows why belongs to one record, once' },
    },
    {
      call: transfer.confirm,
      make: async fixture => {
        const no = await sent(fixture)
        await fixture.pass(31)
        const statementDate = fixture.clock.now().toISOString().slice(0, 10)
        const said = { result: 'success', serialNo: `CT${no}`, statementDate }
        const third = await fixture.reviewer()
        const first = await ofTransfer(fixture, no, { ...said, evidence: await fixture.uploaded(third) })
        fixture.must(await fixture.ask(transfer.confirm, first, { as: third }))
        return made(fixture, no, { ...said, evidence: await fixture.uploaded() })
      },
      race: { alsoBy: 'a file that shows why belongs to one record, once' },
    },
    {
      call: transfer.auditGiveUp,
      make: async fixture => made(fixture, await approved(fixture), { reason: 'not needed' }),
    },
  ],
  beginnings: [{ call: transfer.submit, input: fixture => form(fixture, fixture.boss) }],
  lists: [
    {
      list: transfer.page,
      key: 'transferNo',
      first: true,
      coarse: ['runningMinutes'],
      fill: async fixture => {
        const no = await failed(fixture)
        const changes = `jsonb_build_object(${prefixed('transfer_no')}, ${at('apply_time')}, ${at('submit_time')}, ${maybe('pay_time', `x.apply_time + n % 4 * interval '1 hour'`)}, 'transfer_amount', 1000 + n % 4 * 500, 'transfer_status', (array['paid', 'given_up', 'rejected'])[1 + n % 3], 'transfer_purpose', (array['sweep', 'other'])[1 + n % 2], 'serial_no', case when n % 2 = 0 then 'TS' || n end)`
        await copied(fixture, 'transfer_apply', `transfer_no = '${no}'`, changes)
      },
      means,
      holds: { key: 'transferNo', query: held },
    },
    {
      list: transfer.auditPage,
      key: 'transferNo',
      coarse: ['runningMinutes', 'waitingMinutes'],
      means,
      holds: { key: 'transferNo', query: held },
    },
  ],
  records: [
    {
      fields: ['transferNo'],
      table: 'transfer_apply',
      key: 'transfer_no',
      make: (fixture, merchantNo) => asked(fixture, {}, fixture.boss, merchantNo),
      owners: sql`
        select t.transfer_no as no, (select min(fm.merchant_no) from fund_account_merchant fm where fm.fund_account_no = t.from_account_no) as merchant_no, '{}'::text[] as holders
        from transfer_apply t`,
      unheld: true,
    },
  ],
  calls: [{ call: transfer.accounts, about: 'own accounts of the merchants that the reader serves' }],
  races: [
    {
      name: 'the balance that two transfers leave',
      rule: 'G21: what leaves an account is there',
      available: 1,
      async make(fixture) {
        const transfers = [await approved(fixture), await approved(fixture)]
        const { wallet } = await accountsOf(fixture)
        const code = `bank:${wallet}`
        const { surplus } = await fixture.one(
          sql<{
            surplus: string
          }>`select (balance - 1500000)::text as surplus from ledger_balance where account_code = ${code}`,
        )
        // What is posted meanwhile stays: the balance is shifted and shifted back.
        const shift = async (sign: 1 | -1): Promise<void> => {
          await fixture.exec(
            sql`update ledger_balance set balance = balance + ${sign}::numeric * ${surplus}::numeric where account_code = ${code}`,
          )
        }
        const inputs = [await ofTransfer(fixture, transfers[0]!), await ofTransfer(fixture, transfers[1]!)]
        const proofs = [await fixture.stepUp(fixture.boss), await fixture.stepUp(fixture.boss)]
        await shift(-1)
        const taken = () =>
          countOf(
            fixture,
            sql`select 1 from gateway_attempt where parent_kind = 'transfer' and parent_no = any(${transfers})`,
          )
        return {
          tries: inputs.map(
            (input, i) => () =>
              fixture.ask(transfer.payout, input, { as: fixture.boss, headers: { 'x-step-up': proofs[i]! } }),
          ),
          taken,
          after: () => shift(1),
        }
      },
      at: /from ledger_balance where account_code = \$1 for update/,
      kept: { by: rowsAndVersions, at: /from ledger_balance where account_code = \$1/ },
    },
    {
      name: 'the approval of a transfer',
      rule: 'M61: one approval completes it',
      available: 1,
      async make(fixture, parallel) {
        const no = await asked(fixture)
        const input = await ofTransfer(fixture, no)
        const checkers = [fixture.boss, await fixture.reviewer()]
        const proofs: string[] = []
        for (let i = 0; i < parallel; i++) proofs.push(await fixture.stepUp(checkers[i % 2]!))
        return {
          tries: many(
            parallel,
            i => () =>
              fixture.ask(transfer.approve, input, { as: checkers[i % 2]!, headers: { 'x-step-up': proofs[i]! } }),
          ),
        }
      },
      kept: { by: rowsAndVersions },
    },
  ],
})
