import { sql } from 'kysely'
import { autoSettles } from '../../../../core/contract/after-loan/auto-settle.ts'
import { contract } from '../../../../core/contract/contract.ts'
import { formatMoney, gt } from '../../../../core/rules/money.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { invalid } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { listed, serveListed } from '../../../lists/listed.ts'
import type { Module } from '../../../module.ts'
import { outstandingColumn } from '../repayment/repay-source.ts'
import { checkPlace, nearestRule, ordersSeen, placeOf, placeRefusal, placeSource, takesIn } from '../rule/rule-place.ts'
import { settleChunk, settleNow } from './auto-settle-run.ts'

const { autoSettle } = contract
const { page } = autoSettles.codes

/** What write-offs of a place may forgive. */
const shortfallOf = async (tx: Tx, { merchantNo = null, productNo = null }: Record<string, unknown>) => {
  const found = await tx.maybe(sql<{ shortfallLimit: string }>`
    select r.shortfall_limit from (select ${merchantNo}::text as merchant_no, ${productNo}::text as product_no) o
      join lateral ${nearestRule('auto_write_off_config')} r on r.enabled = 'enabled'`)
  return found?.shortfallLimit ?? '0.00'
}

const config = serveConfig(autoSettles, {
  prefix: 'AS',
  unique: 'merchantNo',
  mayChange: ({ session }, { merchantNo }) => placeRefusal(session, merchantNo),
  async check(call, form, before) {
    if (!before) await checkPlace(call, page, form)
    const most = await shortfallOf(call.tx, before ?? form)
    if (gt(String(form.residueLimit), most))
      throw invalid('residueLimit', 'validation.atMost', { max: formatMoney(most) })
  },
  source: ({ session }) => {
    const place = placeSource(session, page)
    const last = sql`(select max(r.business_date) from auto_settle_result r where r.config_no = x.config_no and r.outcome <> 'skipped')`
    const ofLast = sql`from auto_settle_result r where r.config_no = x.config_no and r.business_date = ${last} and r.outcome <> 'skipped'`
    return {
      ...place,
      columns: {
        ...place.columns,
        lastRun: last,
        lastOrders: sql`(select count(*)::int ${ofLast})`,
        lastWaived: sql`(select coalesce(sum(r.waived), 0)::numeric(18,2) ${ofLast})`,
      },
    }
  },
})

const preview = serve(autoSettle.preview, async ({ tx, session, input }) => {
  const { merchant, product } = placeOf(input)
  return tx.one(sql<{ orders: number; waived: string }>`
    select count(*)::int as orders, coalesce(sum(owed), 0)::numeric(18,2) as waived
    from (
      select ${outstandingColumn()} as owed from loan_order o
      where o.order_status = 'funds_disbursed' and ${takesIn(merchant, product)} and ${ordersSeen(session, page)}) left_over
    where owed > 0 and owed <= ${input.residueLimit}`)
})

const results = listed({
  list: autoSettle.results,
  source: ({ session }) => ({
    from: sql`auto_settle_result x join loan_order o on o.order_no = x.order_no`,
    alias: 'x',
    key: sql`x.business_date::text || ' ' || x.order_no`,
    where: ordersSeen(session, page),
    columns: { resultNo: sql`x.business_date::text || ' ' || x.order_no`, settleOutcome: sql`x.outcome` },
  }),
})

const run = serve(autoSettle.run, async ({ tx, audit }) => {
  const counts = await settleNow(tx)
  audit({ objectType: 'autoSettle', objectNo: tx.today, after: counts })
  return counts
})

/** Small residues and held money do not keep good customers overdue. */
export const autoSettleModule = (): Module => ({
  ...config,
  served: [...config.served, preview, serveListed(results), run],
  lists: [...config.lists, results],
  chunked: [{ job: 'repay.autoSettle', dailyAt: '01:00', chunk: settleChunk }],
})
