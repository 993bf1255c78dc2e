import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { merchants } from '../../../../core/contract/operation/merchant.ts'
import { requestApproval } from '../../../approval/approval.ts'
import { noteChange } from '../../../configs/history.ts'
import { checkVersion, Fault, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import type { ApprovalAction, Scheduled } from '../../../module.ts'
import { system } from '../../../rights/actor.ts'
import { requireEvent, transition } from '../../../states/transition.ts'
import { onTheirWay } from './merchant-source.ts'
import { type Held, lockMerchant, put } from './settings.ts'

const { merchant } = contract
const { machine, codes } = merchants

/** Stops the intake of a merchant, or opens it again, once a second person agrees. */
export const drain = serve(merchant.drain, async call => {
  const { tx, input, audit } = call
  const row = await lockMerchant(call, input.merchantNo, input.version)
  requireEvent(machine, row.enabled, 'item.disable')
  if (row.drain === input.drain) throw new Fault('stateConflict', 'errors.drainSame')
  const approvalNo = await requestApproval(call, {
    action: 'merchant.drain',
    perm: codes.enable,
    objectType: 'merchant',
    objectNo: row.merchantNo,
    merchantNo: row.merchantNo,
    version: row.version,
    payload: { drain: input.drain, version: row.version },
    summary: [
      {
        label: 'fields.drain',
        before: `common.${row.drain ? 'yes' : 'no'}`,
        after: `common.${input.drain ? 'yes' : 'no'}`,
      },
    ],
  })
  await tx.flush()
  audit({ objectType: 'merchant', objectNo: row.merchantNo, before: { drain: row.drain }, after: { approvalNo } })
  return { approvalNo }
})

/** What happens when a second person agrees to it. */
export const drainApproval: ApprovalAction = {
  action: 'merchant.drain',
  perm: codes.enable,
  money: false,
  async execute(tx, { objectNo, payload, maker, checker }) {
    const row = await tx.maybe(
      sql<Held>`select * from merchant where merchant_no = ${objectNo} and deleted_time is null for update`,
    )
    if (!row) throw notFound()
    checkVersion(row, Number(payload.version))
    requireEvent(machine, row.enabled, 'item.disable')
    await put({ tx, actor: checker }, row, { drain: payload.drain === true }, maker)
  },
}

/** A merchant in drain is disabled once its last payout has ended. */
export const drainJob: Scheduled = {
  job: 'merchantDrain',
  every: { seconds: 60 },
  async run(tx) {
    const actor = system('merchantDrain')
    const rows = await tx.rows(sql<Held>`
      select x.* from merchant x where x.drain and x.enabled = 'enabled' and x.deleted_time is null and ${onTheirWay} = 0
      order by x.merchant_no for update of x skip locked`)
    for (const row of rows) {
      const set = { updatedBy: actor.no, updatedTime: tx.now }
      const { version } = await transition(tx, machine, row, { event: 'item.disable', set }, actor)
      noteChange(tx, machine, { objectNo: row.merchantNo, version, event: 'item.disable', changes: [] }, actor)
    }
    return { disabled: rows.length }
  },
}
