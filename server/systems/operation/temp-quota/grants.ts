import { sql } from 'kysely'
import { tempQuota as calls, tempQuotaApp } from '../../../../core/contract/operation/temp-quota.ts'
import type { Money } from '../../../../core/rules/money.ts'
import { requestApproval } from '../../../approval/approval.ts'
import type { Tx } from '../../../db/database.ts'
import { checkVersion, Fault, notFound } from '../../../http/fault.ts'
import { serve, serveEach, serveSigned } from '../../../http/serve.ts'
import { eachItem, type Step } from '../../../jobs/scheduler.ts'
import type { ApprovalAction, Chunked, Deps } from '../../../module.ts'
import { type Actor, system } from '../../../rights/actor.ts'
import { requireEvent, transition } from '../../../states/transition.ts'
import { merchantSecrets, merchantSigner } from '../../common/index.ts'
import { grantBlocks, grantSeen } from './lists.ts'
import { asksConsent } from './rules.ts'

const chunkSize = 500

type Begun = { grantNo: string; grantStatus: string; consentTime: string | null; version: number }
type Held = Begun & {
  customerNo: string
  customerName: string
  merchantNo: string
  quotaAmount: Money
  endTime: string
  boundOrderNo: string | null
}

/** The first day of a limit has come: it counts at once, or once its customer agrees. */
export const beginGrant = async (tx: Tx, grant: Begun, actor: Actor): Promise<void> => {
  const as = grant.consentTime !== null || !(await asksConsent(tx)) ? 'agreed' : 'asks'
  await transition(tx, 'tempQuotaGrant', grant, { event: 'clock.start', as }, actor)
}

const lockGrant = (tx: Tx, grantNo: string, where = sql`true`) =>
  tx.maybe(sql<Held>`
    select g.*, (select c.customer_name from customer c where c.customer_no = g.customer_no) as customer_name
    from temp_quota_grant g where g.grant_no = ${grantNo} and ${where} for update of g`)

const consent = serve(calls.consent, async call => {
  const { tx, session, input, actor, audit } = call
  const row = await lockGrant(tx, input.grantNo, grantSeen(session))
  if (!row) throw notFound()
  await grantBlocks.check(call, calls.consent, row.grantNo)
  checkVersion(row, input.version)
  const set = { consentTime: tx.now, consentSource: 'call', recordingNo: input.recordingNo }
  const move = { event: 'consent.give', as: 'staff', set, payload: { recordingNo: input.recordingNo } } as const
  const { grantStatus } = await transition(tx, 'tempQuotaGrant', row, move, actor)
  audit({
    objectType: 'tempQuotaGrant',
    objectNo: row.grantNo,
    before: { grantStatus: row.grantStatus },
    after: { grantStatus, recordingNo: input.recordingNo },
  })
  return { grantStatus: grantStatus as 'effective' }
})

/** The customer agrees in the app of the merchant; once more changes nothing. */
const agree = ({ secretKey }: Pick<Deps, 'secretKey'>) => {
  const secrets = merchantSecrets(secretKey)
  return serveSigned(tempQuotaApp.agree, {
    signer: (tx, request) => merchantSigner(tx, request, secrets),
    async handle({ tx, input, actor }, { merchantNo }) {
      const row = await lockGrant(
        tx,
        input.grantNo,
        sql`g.customer_no = ${input.customerNo} and g.merchant_no = ${merchantNo}`,
      )
      if (!row) throw notFound()
      const { quotaAmount, endTime } = row
      const shown = { quotaAmount, endTime: new Date(endTime).toISOString() }
      if (!row.consentTime && Date.parse(endTime) <= tx.now.getTime())
        throw new Fault('stateConflict', 'errors.quotaEnded')
      if (row.consentTime) return { ...shown, grantStatus: row.grantStatus as 'effective' }
      const set = { consentTime: tx.now, consentSource: 'app' }
      const { grantStatus } = await transition(
        tx,
        'tempQuotaGrant',
        row,
        { event: 'consent.give', as: 'customer', set },
        actor,
      )
      return { ...shown, grantStatus: grantStatus as 'effective' }
    },
  })
}

const perm = calls.revoke.perm as string
const action = 'tempQuota.revoke'

const revoke = serveEach(calls.revoke, {
  ids: ({ grantNos }) => [...new Set(grantNos)],
  async row(grantNo, call) {
    const { tx, session, input, audit } = call
    const row = await lockGrant(tx, grantNo, grantSeen(session))
    if (!row) throw notFound()
    await grantBlocks.check(call, calls.revoke, grantNo)
    const approvalNo = await requestApproval(call, {
      action,
      perm,
      objectType: 'tempQuotaGrant',
      objectNo: grantNo,
      merchantNo: row.merchantNo,
      version: row.version,
      payload: { reason: input.reason },
      summary: [
        { label: 'fields.customerName', before: row.customerName, after: null },
        { label: 'fields.quotaAmount', before: row.quotaAmount, after: null },
        { label: 'fields.reason', before: null, after: input.reason },
      ],
    })
    audit({ objectType: 'tempQuotaGrant', objectNo: grantNo, after: { reason: input.reason, approvalNo } })
  },
})

export const revokeApproval: ApprovalAction = {
  action,
  perm,
  money: false,
  async execute(tx, { objectNo, payload, checker }) {
    const row = await lockGrant(tx, objectNo)
    if (!row) throw notFound()
    requireEvent('tempQuotaGrant', row.grantStatus, 'grant.revoke')
    await grantBlocks.check({ tx, session: null }, calls.revoke, objectNo)
    const set = { revokeReason: String(payload.reason) }
    await transition(tx, 'tempQuotaGrant', row, { event: 'grant.revoke', set, payload: set }, checker)
  },
}

const chunked = async (
  tx: Tx,
  due: readonly Begun[],
  count: string,
  act: (tx: Tx, grant: Begun) => Promise<unknown>,
): Promise<Step> => {
  const parked = await eachItem(tx, due, grant => grant.grantNo, act)
  return {
    cursor: due.length < chunkSize ? null : (due.at(-1)?.grantNo ?? null),
    counts: { [count]: due.length - parked.length },
    parked,
  }
}

type At = { date: string; cursor: string | null }
const midnight = (date: string) => sql`(${date}::date::timestamp at time zone 'Africa/Kampala')`

/** Limits whose first day has come. */
const startChunk = async (tx: Tx, { date, cursor }: At): Promise<Step> => {
  const due = await tx.rows(sql<Begun>`
    select * from temp_quota_grant where grant_status = 'waiting' and start_time <= ${midnight(date)} and end_time > ${midnight(date)}
      and grant_no > ${cursor ?? ''} order by grant_no limit ${chunkSize} for update`)
  return chunked(tx, due, 'started', (inner, grant) => beginGrant(inner, grant, system(`tempQuota.start ${date}`)))
}

/** Ends limits whose time is over; those that an approved order holds stay with it. */
const expireChunk = async (tx: Tx, { date, cursor }: At): Promise<Step> => {
  const due = await tx.rows(sql<Begun>`
    select * from temp_quota_grant where grant_status in ('waiting', 'waiting_consent', 'effective') and end_time <= ${midnight(date)}
      and bound_order_no is null and grant_no > ${cursor ?? ''} order by grant_no limit ${chunkSize} for update`)
  const actor = system(`tempQuota.expire ${date}`)
  return chunked(tx, due, 'expired', (inner, grant) =>
    transition(inner, 'tempQuotaGrant', grant, { event: 'clock.expire' }, actor),
  )
}

export const grantJobs: Chunked[] = [
  { job: 'tempQuota.expire', dailyAt: '00:05', chunk: expireChunk },
  { job: 'tempQuota.start', dailyAt: '00:05', chunk: startChunk },
]

export const grantCalls = (deps: Pick<Deps, 'secretKey'>) => [consent, revoke, agree(deps)]
