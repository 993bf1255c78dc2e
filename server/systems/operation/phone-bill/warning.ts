import { sql } from 'kysely'
import { pathOf } from '../../../../core/contract/pages.ts'
import { formatMoney, type Money } from '../../../../core/rules/money.ts'
import type { WarningRule } from '../../../warnings/rule.ts'

const page = pathOf('OperationSystem', 'EmployeePhoneBillRecharge')

/** Airtime whose outcome has been unknown for too long: finance asks the vendor, and nobody sends it again. */
export const airtimeUnknown: WarningRule = {
  type: 'airtime_unknown',
  level: 'warning',
  find: async (tx, { payoutUnknownMinutes: minutes }) => {
    const before = new Date(tx.now.getTime() - minutes * 60_000)
    const { n, amount, nos } = await tx.one(sql<{ n: number; amount: Money; nos: string[] | null }>`
      select count(*)::int as n, coalesce(sum(p.amount), 0)::numeric(18,2) as amount,
        (array_agg(p.phone_bill_no order by ga.sent_time, p.phone_bill_no))[1:10] as nos
      from phone_recharge p join gateway_attempt ga on ga.parent_kind = 'phoneBill' and ga.parent_no = p.phone_bill_no and ga.attempt_no = p.attempt_no
      where p.phone_bill_status = 'paying' and ga.attempt_status = 'unknown' and coalesce(ga.unknown_since, ga.sent_time) <= ${before}`)
    if (n === 0) return []
    const affected = (nos ?? []).map(no => ({ objectNo: no, route: `${page}?phoneBillNo=${no}` }))
    return [
      {
        key: 'airtime',
        merchantNo: null,
        objectType: 'phoneBill',
        affected,
        facts: { n, amount: formatMoney(amount), minutes },
      },
    ]
  },
}
