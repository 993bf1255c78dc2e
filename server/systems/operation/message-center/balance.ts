import { type RawBuilder, sql } from 'kysely'
import { pathOf } from '../../../../core/contract/pages.ts'
import { formatMoney, type Money } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { NetworkHandler, Scheduled } from '../../../module.ts'
import type { Vendors } from '../../../outgoing/vendors.ts'
import { most, type WarningRule } from '../../../warnings/rule.ts'

type Frag = RawBuilder<unknown>
type Carriers = (tx: Tx, o?: { all?: boolean }) => Promise<Vendors>

const queue = 'messageAccount.balance'
const everySeconds = 300

const routed = sql`from sms_route_marketing r where r.enabled = 'enabled' and r.deleted_time is null`
const offering = sql`from message_account a where a.enabled = 'enabled' and a.deleted_time is null and a.channel_type = 'sms'
  and (a.account_no in (select r.account_no ${routed}) or not exists (select 1 ${routed}))`

/** Whether every account that carries offers runs low: they wait first, so that what is left is there for codes and receipts. */
export const offersWait: Frag = sql`(exists (select 1 ${offering}) and not exists (select 1 ${offering} and coalesce(a.balance >= a.low_balance, true)))`

/** Keeps what a vendor says is left. */
export const noteBalance = (tx: Tx, accountNo: string, balance: string) =>
  tx.exec(
    sql`update message_account set balance = ${balance}, balance_time = ${tx.now} where account_no = ${accountNo}`,
  )

type Asked = { accountNo: string; ask: () => Promise<string | null> }

/** Asks the vendors what is left on our accounts: a balance decides whether offers go. */
export const balanceProbe = (
  carriers: Carriers,
): { scheduled: Scheduled; queue: NetworkHandler<Asked, string | null> } => ({
  scheduled: {
    job: 'messageAccount.probe',
    every: { seconds: everySeconds },
    async run(tx) {
      const able = (await carriers(tx, { all: true })).sms.filter(({ vendor }) => vendor.balance)
      for (const { accountNo } of able) await enqueue(tx, queue, `${accountNo} ${tx.now.toISOString()}`, { accountNo })
      return { asked: able.length }
    },
  },
  queue: {
    queue,
    async before(tx, { payload: { accountNo } }) {
      const { sms } = await carriers(tx, { all: true })
      const ask = sms.find(one => one.accountNo === accountNo)?.vendor.balance
      return ask ? { accountNo: String(accountNo), ask } : null
    },
    send: ({ ask }) => ask(),
    async after(tx, { accountNo }, balance) {
      if (balance !== null) await noteBalance(tx, accountNo, balance)
    },
    waits: true,
  },
})

const page = pathOf('OperationSystem', 'MessageCenterAppManagement')

/** An account that carries messages and holds less than it should: offers wait, and codes are next. */
export const vendorBalanceLow: WarningRule = {
  type: 'message_balance_low',
  level: 'warning',
  async find(tx) {
    const rows = await tx.rows(sql<{ accountNo: string; accountName: string; balance: Money; least: Money }>`
      select a.account_no, a.account_name, a.balance, a.low_balance as least from message_account a
      where a.enabled = 'enabled' and a.deleted_time is null and a.balance < a.low_balance order by a.account_no limit ${most}`)
    return rows.map(({ accountNo, accountName: account, balance, least }) => ({
      ...{ key: accountNo, merchantNo: null, objectType: 'message_account' },
      affected: [{ objectNo: accountNo, route: `${page}?tab=accounts` }],
      facts: { account, balance: formatMoney(balance), least: formatMoney(least) },
    }))
  },
}
