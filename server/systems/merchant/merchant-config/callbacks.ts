import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { merchantConfigs } from '../../../../core/contract/merchant/merchant-config.ts'
import { addressesIn } from '../../../../core/rules/merchant/addresses.ts'
import { requestApproval } from '../../../approval/approval.ts'
import { summaryOf } from '../../../configs/checked.ts'
import { changesOf } from '../../../configs/history.ts'
import { Fault, notFound } from '../../../http/fault.ts'
import { serve, serveEach, serveWork } from '../../../http/serve.ts'
import { listed } from '../../../lists/listed.ts'
import type { ApprovalAction } from '../../../module.ts'
import type { PostOnce } from '../../../outgoing/open-link.ts'
import type { MerchantSecrets } from '../../common/index.ts'
import { bodyOf, queueCallback, sendSigned, signingKey } from './callback-send.ts'
import { type Held, lockAgreed, lockConfig, put } from './held.ts'
import { seenBy } from './source.ts'

const { merchantConfig } = contract
const { table, codes } = merchantConfigs
const action = 'merchantConfig.callback'
type Values = { ipAllowList: string; callbackUrl: string | null; callbackEvents: string[] }

/** What merchants' systems were sent, the newest first. */
export const callbackList = listed({
  list: merchantConfig.callbacks,
  source: ({ session }) => ({
    from: sql`merchant_callback x`,
    alias: 'x',
    key: sql`x.callback_no`,
    where: seenBy(session),
    joins: { m: sql`join merchant m on m.merchant_no = x.merchant_no` },
    columns: { merchantName: sql`m.merchant_name`, tryCount: sql`x.tries` },
  }),
})

const hostOf = (link: string | null) => (link === null ? null : new URL(link).hostname)
/** Callbacks begin with what happens from now on where there were none before. */
const stored = (row: Held, values: Values, now: Date) => ({
  ...values,
  callbackSince: values.callbackUrl === null ? null : (row.callbackSince ?? now),
})

const save = serve(merchantConfig.callbackSave, async call => {
  const { tx, input, audit } = call
  const { merchantNo, callbackEvents, callbackUrl = null, ipAllowList = '' } = input
  const row = await lockConfig(call, merchantNo, input.version)
  const values: Values = { ipAllowList: addressesIn(ipAllowList).join(', '), callbackUrl, callbackEvents }
  const before = { ipAllowList: row.ipAllowList, callbackUrl: row.callbackUrl, callbackEvents: row.callbackEvents }
  const of = { objectType: table, objectNo: merchantNo, before }
  const isNewHost = callbackUrl !== null && hostOf(callbackUrl) !== hostOf(row.callbackUrl)
  if (!isNewHost) {
    const version = await put(call, row, stored(row, values, tx.now), { noted: values })
    audit({ ...of, after: values })
    return { version, approvalNo: null }
  }
  const approvalNo = await requestApproval(call, {
    action,
    perm: codes.save,
    objectType: table,
    objectNo: merchantNo,
    merchantNo,
    version: row.version,
    payload: { ...values, version: row.version },
    summary: summaryOf(merchantConfigs, changesOf(Object.keys(values), row, values)),
  })
  audit({ ...of, after: { approvalNo } })
  return { version: row.version, approvalNo }
})

/** Another host is called once a second person has agreed. */
export const callbackApproval: ApprovalAction = {
  action,
  perm: codes.save,
  money: false,
  async execute(tx, { objectNo, payload, maker, checker }) {
    const { version, ...values } = payload as Values & { version: number }
    const row = await lockAgreed(tx, objectNo, version)
    await put({ tx, actor: checker }, row, stored(row, values, tx.now), { by: maker, noted: values })
  },
}

const test = (secrets: MerchantSecrets, post: PostOnce) =>
  serveWork(merchantConfig.callbackTest, {
    async before({ tx, session, input: { merchantNo } }) {
      const row = await tx.maybe(sql<{ callbackUrl: string | null }>`
        select x.callback_url from merchant_config x where x.merchant_no = ${merchantNo} and x.deleted_time is null and ${seenBy(session)}`)
      if (!row) throw notFound()
      if (row.callbackUrl === null) throw new Fault('stateConflict', 'errors.noCallbackUrl')
      const key = await signingKey(tx, merchantNo)
      if (!key) throw new Fault('stateConflict', 'errors.noLiveKey')
      const time = tx.now.toISOString()
      const example = { thirdOrderNo: 'EXAMPLE-1', orderNo: 'LO-EXAMPLE', status: 'pending_review', time }
      const body = bodyOf({ eventId: 'CB-EXAMPLE', event: 'order.status', ...example })
      return { callbackUrl: row.callbackUrl, merchantNo, ...key, body }
    },
    work: async sending => ({ sending, answer: await sendSigned(secrets, post)(sending) }),
    async after({ audit }, { sending: { merchantNo, callbackUrl, body }, answer }) {
      audit({ objectType: table, objectNo: merchantNo, after: { callbackUrl, answerCode: answer.answerCode } })
      return { callbackUrl, sentBody: body, ...answer }
    },
  })

/** Sends dead callbacks once more, with all their tries. */
const resend = serveEach(merchantConfig.resend, {
  ids: ({ callbackNos }) => callbackNos,
  async row(callbackNo, { tx, session, audit }) {
    const row = await tx.maybe(sql<{ delivery: string; merchantNo: string }>`
      select x.delivery, x.merchant_no from merchant_callback x where x.callback_no = ${callbackNo} and ${seenBy(session)} for update`)
    if (!row) throw notFound()
    if (row.delivery !== 'dead') throw new Fault('stateConflict', 'errors.callbackNotDead')
    await tx.exec(sql`update merchant_callback set delivery = 'waiting', tries = 0 where callback_no = ${callbackNo}`)
    await queueCallback(tx, callbackNo, `again ${tx.now.getTime()}`)
    audit({ objectType: 'merchant_callback', objectNo: callbackNo, after: { delivery: 'waiting' } })
  },
})

export const callbackCalls = (secrets: MerchantSecrets, post: PostOnce) => [save, test(secrets, post), resend]
