import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { countOf, many, rowsAndVersions } from '../../../../tests/races/resource.ts'
import { at, copied, maybe, prefixed } from '../../../testing/copies.ts'
import { facts } from '../../../testing/facts.ts'
import { named } from '../../../testing/order-lists.ts'
import { customerOf, failed, ofWithdrawal, rewarded, sent } from './wallet-made.facts.ts'

const { wallet } = contract
const held = (table: string, alias: string) => sql`
  select ${sql.ref(alias)}.*, c.phone from ${sql.table(table)} ${sql.ref(alias)}
    join order_customer c on c.customer_no = ${sql.ref(`${alias}.customer_no`)} and c.merchant_no = ${sql.ref(`${alias}.merchant_no`)}`
const sends = [
  'drop index if exists gateway_attempt_running',
  'alter table gateway_attempt drop constraint if exists gateway_attempt_pkey cascade',
  'alter table gateway_attempt drop constraint if exists gateway_attempt_gateway_ref_key',
]

export default facts({
  machines: {
    walletWithdrawal: {
      row: {
        withdrawNo: 'WD1',
        customerNo: 'CU1',
        merchantNo: 'M1',
        requestNo: 'RQ1',
        withdrawAmount: 1000,
        channel: 'mtn_momo',
        walletAccount: '256772000031',
        fundAccountNo: 'FA1',
        createdTime: '2026-03-02T07:00:00Z',
      },
    },
  },
  commands: [
    {
      call: wallet.retry,
      make: async fixture => {
        const no = await failed(fixture)
        return { no, input: { withdrawNos: [no] } }
      },
      race: { drop: sends },
    },
    {
      call: wallet.cancel,
      make: async fixture => {
        const no = await failed(fixture)
        return { no, input: await ofWithdrawal(fixture, no, { reason: 'wrong number' }) }
      },
      race: { drop: ['alter table wallet_entry drop constraint if exists wallet_entry_entry_kind_reference_key'] },
    },
    {
      call: wallet.confirm,
      make: async fixture => {
        const no = await sent(fixture)
        await fixture.pass(31)
        const statementDate = fixture.clock.now().toISOString().slice(0, 10)
        const said = { result: 'success', serialNo: `CW${no}`, statementDate }
        const third = await fixture.reviewer()
        const first = await ofWithdrawal(fixture, no, { ...said, evidence: await fixture.uploaded(third) })
        fixture.must(await fixture.ask(wallet.confirm, first, { as: third }))
        return { no, input: await ofWithdrawal(fixture, no, { ...said, evidence: await fixture.uploaded() }) }
      },
      race: { alsoBy: 'a file that shows why belongs to one record, once' },
    },
  ],
  lists: [
    {
      list: wallet.rewards,
      key: 'rewardNo',
      fill: async fixture => {
        const no = await rewarded(fixture, await customerOf(fixture))
        const changes = `jsonb_build_object(${prefixed('reward_no', 'source_no')}, ${at('reward_time')}, 'reward_amount', 1000 + n % 4 * 500, 'reward_type', (array['invite', 'task', 'activity', 'manual'])[1 + n % 4], 'activity_type', (array['Invite a friend', 'École week', 'REPAY EARLY'])[1 + n % 3])`
        await copied(fixture, 'wallet_reward', `reward_no = '${no}'`, changes)
      },
      means: {
        activityType: (row, text: string) => String(row.activityType).toLowerCase().includes(text.trim().toLowerCase()),
      },
      holds: { key: 'rewardNo', query: held('wallet_reward', 'r') },
    },
    {
      list: wallet.withdrawals,
      key: 'withdrawNo',
      coarse: ['runningMinutes'],
      fill: async fixture => {
        const no = await sent(fixture)
        const changes = `jsonb_build_object(${prefixed('withdraw_no', 'request_no')}, ${at('created_time')}, ${maybe('finish_time', `x.created_time + n % 4 * interval '1 hour'`)}, 'withdraw_amount', 1000 + n % 4 * 500, 'withdraw_status', (array['success', 'cancelled', 'success'])[1 + n % 3], 'serial_no', case when n % 2 = 0 then 'WS' || n end)`
        await copied(fixture, 'wallet_withdrawal', `withdraw_no = '${no}'`, changes)
      },
      means: { withdrawNo: named('withdrawNo'), serialNo: named('serialNo') },
      holds: { key: 'withdrawNo', query: held('wallet_withdrawal', 'w') },
    },
  ],
  records: [
    {
      fields: ['rewardNo'],
      table: 'wallet_reward',
      key: 'reward_no',
      owners: sql`select reward_no as no, merchant_no, '{}'::text[] as holders from wallet_reward`,
      unheld: true,
    },
    {
      fields: ['withdrawNo', 'withdrawNos'],
      table: 'wallet_withdrawal',
      key: 'withdraw_no',
      make: async (fixture, merchantNo) => sent(fixture, undefined, await customerOf(fixture, merchantNo)),
      owners: sql`select withdraw_no as no, merchant_no, '{}'::text[] as holders from wallet_withdrawal`,
      unheld: true,
    },
    {
      fields: ['customerNo'],
      under: wallet.statement.path,
      table: 'wallet_entry',
      key: 'customer_no',
      make: async (fixture, merchantNo) => {
        const customer = await customerOf(fixture, merchantNo)
        await rewarded(fixture, customer)
        return customer.customerNo
      },
      owners: sql`select distinct customer_no as no, merchant_no, '{}'::text[] as holders from wallet_entry`,
      unheld: true,
    },
  ],
  races: [
    {
      name: 'what a customer has in the wallet',
      rule: 'M62: no more is taken out than is there',
      available: 4,
      async make(fixture, parallel) {
        const customer = await customerOf(fixture)
        await rewarded(fixture, customer)
        const { customerNo } = customer
        return {
          tries: many(
            parallel,
            n => () =>
              fixture.ask(
                wallet.withdraw,
                { requestNo: `RC${customerNo}${n}`, customerNo, withdrawAmount: '5000.00' },
                { as: fixture.boss },
              ),
          ),
          taken: () => countOf(fixture, sql`select 1 from wallet_withdrawal where customer_no = ${customerNo}`),
        }
      },
      at: /select 1 from customer where customer_no = \$1 for no key update/,
      kept: { by: rowsAndVersions },
    },
  ],
})
