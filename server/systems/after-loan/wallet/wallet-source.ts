import { type RawBuilder, sql } from 'kysely'
import { wallet as calls } from '../../../../core/contract/after-loan/wallet.ts'
import type { Tx } from '../../../db/database.ts'
import { numbersOf, oneOf } from '../../../lists/list.ts'
import { listed } from '../../../lists/listed.ts'
import { minutesSince, noteSearch } from '../../order/order/index.ts'
import { walletBlocks } from './wallet-blocks.ts'
import { walletScope } from './wallet-store.ts'

type Frag = RawBuilder<unknown>

const joins = (alias: string) => ({
  c: sql`join order_customer c on c.customer_no = ${sql.ref(`${alias}.customer_no`)} and c.merchant_no = ${sql.ref(`${alias}.merchant_no`)}`,
  m: sql`join merchant m on m.merchant_no = ${sql.ref(`${alias}.merchant_no`)}`,
})
const person = { customerName: sql`c.customer_name`, phone: sql`c.phone`, merchantName: sql`m.merchant_name` }
const byPhone = { phone: (value: string) => sql`c.phone = ${value}` }

/** Rewards that customers earned. */
export const rewards = listed({
  list: calls.rewards,
  source: ({ session }) => ({
    from: sql`wallet_reward r`,
    joins: joins('r'),
    where: walletScope(session, 'r', calls.rewards.perm),
    columns: person,
    alias: 'r',
    key: sql`r.reward_no`,
    filters: {
      ...byPhone,
      activityType: (text: string) => sql`r.activity_type ilike ${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`,
    },
  }),
  check: noteSearch,
})

const sentTime = sql`(
  select ga.sent_time from gateway_attempt ga where ga.parent_kind = 'withdrawal' and ga.parent_no = w.withdraw_no and ga.attempt_no = w.attempt_no)`
const confirmStatus = sql`(
  select cf.confirm_status from loan_code_confirm cf where cf.parent_kind = 'withdrawal' and cf.parent_no = w.withdraw_no
  order by cf.confirm_status in ('unconfirmed', 'first_confirmed') desc, cf.second_time desc nulls last limit 1)`

const columns = (tx: Tx): Record<string, Frag> => ({
  ...person,
  runningMinutes: sql`case when w.withdraw_status = 'paying' then ${minutesSince(tx, sql`coalesce(${sentTime}, w.created_time)`)} end`,
  confirmStatus,
})

/** What customers took out of their wallets. */
export const withdrawals = listed({
  list: calls.withdrawals,
  source: ({ tx, session }) => ({
    from: sql`wallet_withdrawal w`,
    joins: joins('w'),
    where: walletScope(session, 'w', calls.withdrawals.perm),
    columns: columns(tx),
    alias: 'w',
    key: sql`w.withdraw_no`,
    filters: {
      ...byPhone,
      withdrawNo: (text: string) => oneOf(sql`w.withdraw_no`, numbersOf(text)),
      serialNo: (text: string) => oneOf(sql`w.serial_no`, numbersOf(text)),
    },
  }),
  check: noteSearch,
  blocked: (at, rows) =>
    walletBlocks.of(
      at,
      rows.map(row => row.withdrawNo),
    ),
})
