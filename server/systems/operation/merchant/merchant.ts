import { sql } from 'kysely'
import { merchants } from '../../../../core/contract/operation/merchant.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import type { Module } from '../../../module.ts'
import { limitFor } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { drain, drainApproval, drainJob } from './drain.ts'
import { merchantSource, merchantUses, onTheirWay } from './merchant-source.ts'
import { organizationCalls } from './organizations.ts'
import { settingCalls } from './settings.ts'

type Values = Readonly<Record<string, unknown>>

/** An organization of the caller's data rule: any, or one that has a merchant of theirs. */
const checkOrg = async (tx: Tx, session: Session, orgNo: unknown) => {
  const all = limitFor(session, merchants.codes.page) === 'all'
  const found = await tx.maybe(sql`
    select 1 from org o where o.org_no = ${orgNo}
      and (${all} or exists (select 1 from merchant m where m.org_no = o.org_no and m.merchant_no = any(${[...session.merchants, ...session.orgMerchants]})))`)
  if (!found) throw invalid('orgNo', 'validation.wrongValue')
}

/** A merchant with open orders stays in its organization: whose orders those are hangs on it. */
const checkMove = async (tx: Tx, form: Values, before: Values) => {
  if (form.orgNo === before.orgNo) return
  const { n } = await tx.one(sql<{ n: number }>`
    select count(*)::int as n from loan_order where merchant_no = ${before.merchantNo}
      and order_status not in ('settled', 'cancelled', 'machine_refused', 'approval_rejected')`)
  if (n > 0) throw new Fault('stateConflict', 'errors.merchantOrders', { n })
}

/** A disabled merchant pays nobody any more: payouts on their way end first, or the merchant is drained. */
const checkPayouts = async (tx: Tx, merchantNo: string) => {
  const { n } = await tx.one(
    sql<{ n: number }>`select ${onTheirWay} as n from merchant x where x.merchant_no = ${merchantNo}`,
  )
  if (n > 0) throw new Fault('stateConflict', 'errors.merchantPayouts', { n })
}

/** The companies, organizations and merchants that lend. */
export const merchantModule = (): Module => {
  const config = serveConfig(merchants, {
    prefix: 'ME',
    unique: 'merchantName',
    mayChange: ({ session }, { merchantNo }) =>
      merchantNo === undefined && !session.headquarters ? new Fault('forbidden', 'errors.headquartersOnly') : null,
    async check({ tx, session }, form, before) {
      await checkOrg(tx, session, form.orgNo)
      if (before) await checkMove(tx, form, before)
    },
    async switches(tx, item, to) {
      if (to === 'disabled') await checkPayouts(tx, String(item.merchantNo))
    },
    uses: merchantUses,
    source: merchantSource,
  })
  return {
    ...config,
    served: [...config.served, ...organizationCalls, ...settingCalls, drain],
    approvals: [...config.approvals, drainApproval],
    scheduled: [...config.scheduled, drainJob],
  }
}
