import { sql } from 'kysely'
import { formatMoney, type Money } from '../../../../core/rules/money.ts'
import { addDays } from '../../../../core/rules/time.ts'
import type { WarningRule } from '../../../warnings/rule.ts'
import { walletJoin } from '../consumption/index.ts'

/** Days before its end from which a contract is warned of. */
const contractDays = 30

const found = (merchantNo: string, facts: Record<string, string>) => ({
  key: merchantNo,
  merchantNo,
  objectType: 'merchant_config',
  affected: [{ objectNo: merchantNo, route: null }],
  facts,
})

/** The wallet of a merchant is below its mark: it pays in, or its services stop at the floor. */
const balanceWatch: WarningRule = {
  type: 'merchant_balance_low',
  level: 'warning',
  find: async tx =>
    (
      await tx.rows(sql<{ merchantNo: string; merchantName: string; lowBalance: Money }>`
        select x.merchant_no, m.merchant_name, x.low_balance from merchant_config x join merchant m using (merchant_no) ${walletJoin(tx, sql`x.merchant_no`)}
        where x.deleted_time is null and x.enabled = 'enabled' and w.available < x.low_balance order by 1`)
    ).map(({ merchantNo, merchantName, lowBalance }) =>
      found(merchantNo, { name: merchantName, amount: formatMoney(lowBalance) }),
    ),
}

/** The contract of a merchant ends soon. */
const contractWatch: WarningRule = {
  type: 'merchant_contract_ending',
  level: 'warning',
  find: async tx =>
    (
      await tx.rows(sql<{ merchantNo: string; merchantName: string; contractEnd: string }>`
        select x.merchant_no, m.merchant_name, x.contract_end from merchant_config x join merchant m using (merchant_no)
        where x.deleted_time is null and x.enabled = 'enabled' and x.contract_end <= ${addDays(tx.today, contractDays)} order by 1`)
    ).map(({ merchantNo, merchantName, contractEnd }) => found(merchantNo, { name: merchantName, date: contractEnd })),
}

export const merchantWarnings: readonly WarningRule[] = [balanceWatch, contractWatch]
