import { sql } from 'kysely'
import { formatMoney } from '../../../../core/rules/amount.ts'
import { addDays } from '../../../../core/rules/time.ts'
import type { WarningRule } from '../../../warnings/rule.ts'

type Open = { account: string; name: string | null; n: number; amount: string; items: string[] }

const found = ({ account, name, n, amount, items }: Open, more: Record<string, number> = {}) => ({
  key: account,
  merchantNo: null,
  objectType: 'reconItem',
  affected: items.map(objectNo => ({ objectNo, route: null })),
  facts: { account: name ?? account, n, amount: formatMoney(amount), ...more },
})

/** Money that came or left and that nobody expected, until it is explained. */
const payoutException: WarningRule = {
  type: 'payout_exception',
  level: 'critical',
  find: async tx => {
    const rows = await tx.rows(sql<Open>`
      select coalesce(r.fund_account_no, '-') as account, max(f.account_name) as name, count(*)::int as n, coalesce(sum(abs(r.amount)), 0)::numeric(18,2)::text as amount,
        (array_agg(r.recon_item_no order by r.created_time, r.recon_item_no))[1:10] as items
      from recon_item r left join fund_account f using (fund_account_no)
      where r.recon_status = 'open' and r.recon_kind = 'paid_not_expected' group by 1 order by 1`)
    return rows.map(row => found(row))
  },
}

/** Differences between books and statements that are older than a business day. */
const reconDiff: WarningRule = {
  type: 'recon_diff',
  level: 'warning',
  find: async (tx, { reconDays: days }) => {
    const rows = await tx.rows(sql<Open>`
      select coalesce(r.fund_account_no, '-') as account, max(f.account_name) as name, count(*)::int as n, coalesce(sum(abs(r.amount)), 0)::numeric(18,2)::text as amount,
        (array_agg(r.recon_item_no order by r.created_time, r.recon_item_no))[1:10] as items
      from recon_item r left join fund_account f using (fund_account_no)
      where r.recon_status = 'open' and r.recon_kind <> 'paid_not_expected'
        and (r.created_time at time zone 'Africa/Kampala')::date < ${addDays(tx.today, -days)}::date
      group by 1 order by 1`)
    return rows.map(row => found(row, { days }))
  },
}

export const reconWarnings = [payoutException, reconDiff]
