import { sql } from 'kysely'
import { formatMoney } from '../../../../core/rules/amount.ts'
import { loanRoute } from '../../../messages/message.ts'
import type { WarningRule } from '../../../warnings/rule.ts'

type Unknown = { merchantNo: string; n: number; amount: string; codes: string[] }

/** Payouts whose outcome has been unknown for too long. */
const payoutUnknown: WarningRule = {
  type: 'payout_unknown',
  level: 'critical',
  find: async (tx, { payoutUnknownMinutes: minutes }) => {
    const before = new Date(tx.now.getTime() - minutes * 60_000)
    const rows = await tx.rows(sql<Unknown>`
      select o.merchant_no, count(*)::int as n, sum(lc.actual_loan_amount)::numeric(18,2)::text as amount,
        (array_agg(lc.loan_code order by lc.unknown_since, lc.loan_code))[1:10] as codes
      from loan_code lc join loan_order o using (order_no)
      where lc.loan_code_status = 'unknown' and coalesce(lc.unknown_since, lc.request_time) <= ${before}
      group by o.merchant_no order by o.merchant_no`)
    return rows.map(({ merchantNo, n, amount, codes }) => ({
      key: merchantNo,
      merchantNo,
      objectType: 'loanCode',
      affected: codes.map(code => ({ objectNo: code, route: loanRoute(code) })),
      facts: { n, amount: formatMoney(amount), minutes },
    }))
  },
}

type Low = { no: string; name: string; balance: string; least: string }

/** Accounts that payouts leave from and that hold less than they should. */
const balanceLow: WarningRule = {
  type: 'balance_low',
  level: 'critical',
  find: async tx => {
    const rows = await tx.rows(sql<Low>`
      select f.fund_account_no as no, f.account_name as name, coalesce(b.balance, 0)::numeric(18,2)::text as balance, f.min_balance::text as least
      from fund_account f left join ledger_balance b on b.account_code = 'bank:' || f.fund_account_no
      where f.enabled = 'enabled' and f.account_role in ('payout', 'both') and f.min_balance > 0 and coalesce(b.balance, 0) < f.min_balance
      order by f.fund_account_no`)
    return rows.map(({ no, name, balance, least }) => ({
      key: no,
      merchantNo: null,
      objectType: 'fundAccount',
      affected: [{ objectNo: no, route: null }],
      facts: { account: name, balance: formatMoney(balance), least: formatMoney(least) },
    }))
  },
}

type Failing = { channel: string; name: string; n: number; good: number }

/** Channels of which too few payouts succeed. */
const channelFailing: WarningRule = {
  type: 'channel_failing',
  level: 'warning',
  find: async (tx, { channelAttempts, channelPercent, channelMinutes: minutes }) => {
    const rows = await tx.rows(sql<Failing>`
      select a.channel, c.channel_name as name, count(*)::int as n, count(*) filter (where a.attempt_status = 'succeeded')::int as good
      from gateway_attempt a join channel c using (channel)
      where a.attempt_status in ('succeeded', 'failed', 'unknown')
        and coalesce(a.answer_time, a.unknown_since, a.sent_time) > ${new Date(tx.now.getTime() - minutes * 60_000)}
      group by a.channel, c.channel_name
      having count(*) >= ${channelAttempts} and 100 * count(*) filter (where a.attempt_status = 'succeeded') < ${channelPercent} * count(*)
      order by a.channel`)
    return rows.map(({ channel, name, n, good }) => ({
      key: channel,
      merchantNo: null,
      objectType: 'channel',
      affected: [{ objectNo: channel, route: null }],
      facts: {
        channel: name,
        n,
        percent: Math.floor((100 * good) / n),
        least: channelPercent,
        tries: channelAttempts,
        minutes,
      },
    }))
  },
}

export const payoutWarnings = [payoutUnknown, balanceLow, channelFailing]
