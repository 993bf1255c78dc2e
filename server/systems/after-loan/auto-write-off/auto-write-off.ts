import { sql } from 'kysely'
import { autoWriteOffs } from '../../../../core/contract/after-loan/auto-write-off.ts'
import { contract } from '../../../../core/contract/contract.ts'
import { gt } from '../../../../core/rules/money.ts'
import { addDays, startOfEatDay } from '../../../../core/rules/time.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import { invalid } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import type { Module } from '../../../module.ts'
import { outstandingColumn } from '../repayment/repay-source.ts'
import { checkPlace, nearestRule, ordersSeen, placeOf, placeRefusal, placeSource, takesIn } from '../rule/rule-place.ts'

const { autoWriteOff } = contract
const { page } = autoWriteOffs.codes
/** The most that one order may be forgiven without a decision of its own. */
const smallSettleCap = '10000.00'

const config = serveConfig(autoWriteOffs, {
  prefix: 'WO',
  unique: 'merchantNo',
  mayChange: ({ session }, { merchantNo }) => placeRefusal(session, merchantNo),
  async check(call, form, before) {
    if (!before) await checkPlace(call, page, form)
    if (gt(String(form.shortfallLimit), smallSettleCap))
      throw invalid('shortfallLimit', 'validation.atMost', { max: smallSettleCap })
  },
  source: ({ tx, session }) => {
    const place = placeSource(session, page)
    const used = sql`
      from repay_record r join loan_order o using (order_no)
      where r.record_status = 'posted' and r.repayment_time >= ${startOfEatDay(addDays(tx.today, -29))} and (r.trial ->> 'shortfall')::numeric > 0
        and (select n.config_no from ${nearestRule('auto_write_off_config')} n) = x.config_no and ${ordersSeen(session, page)}`
    return {
      ...place,
      columns: {
        ...place.columns,
        usedLately: sql`(select count(*)::int ${used})`,
        waivedLately: sql`(select coalesce(sum((r.trial ->> 'shortfall')::numeric), 0)::numeric(18,2) ${used})`,
      },
    }
  },
})

const simulate = serve(autoWriteOff.simulate, async ({ tx, session, input }) => {
  const { merchant, product } = placeOf(input)
  return tx.one(sql<{ orders: number; waived: string; principal: string }>`
    select count(*)::int as orders, coalesce(sum(owed), 0)::numeric(18,2) as waived, coalesce(sum(principal), 0)::numeric(18,2) as principal
    from (
      select ${outstandingColumn()} as owed, ${outstandingColumn(undefined, ['principal'])} as principal from loan_order o
      where o.order_status = 'funds_disbursed' and ${takesIn(merchant, product)} and ${ordersSeen(session, page)}) left_over
    where owed > 0 and owed <= ${input.shortfallLimit} and principal <= ${input.principalLimit}`)
})

/** How far a receipt may miss the amount due, per merchant and product. */
export const autoWriteOffModule = (): Module => ({ ...config, served: [...config.served, simulate] })
