import { sql } from 'kysely'
import {
  supplement as calls,
  type SupplementKnown,
  type SupplementRow,
} from '../../../../core/contract/after-loan/supplement.ts'
import type { ParsedOf } from '../../../../core/contract/endpoint.ts'
import { eq, formatMoney, isZero, money } from '../../../../core/rules/money.ts'
import { eatDateTime } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { attachUpload, keepAsEvidence, lockReady } from '../../../files/uploads/stored.ts'
import { checkVersion, Fault, invalid, notFound } from '../../../http/fault.ts'
import { type Call, serve, serveWork } from '../../../http/serve.ts'
import { serveListed, shownRow } from '../../../lists/listed.ts'
import type { Module } from '../../../module.ts'
import { newNo } from '../../../money/numbers.ts'
import { samePersonFault, sharedMarks } from '../../../rights/same-person.ts'
import { transition } from '../../../states/transition.ts'
import { findOrder } from '../../order/order/index.ts'
import { ownerOf } from '../flow/flow.ts'
import { bookReceipt, checkSerials, enterFlow, type Flow, flowScope } from '../flow/flow-store.ts'
import { type Answer, type Asked, askChannel, claimed, type Gateways, lineOf } from './supplement-known.ts'
import { lockSupplement, supplementBlocks, supplements } from './supplement-source.ts'

type Submitted = ParsedOf<typeof calls.submit>

const knownFlow = ({ tx, session }: Pick<Call, 'tx' | 'session'>, channel: string, serialNo: string) =>
  tx.maybe(sql<Pick<SupplementKnown, 'flowNo' | 'flowStatus' | 'flowAmount'>>`
    select f.flow_no, f.flow_status, f.amount as flow_amount from repay_flow f
    where f.channel = ${channel} and f.serial_no = ${serialNo} and f.flow_status <> 'void' and ${flowScope(session)}`)

const check = (gateways: Gateways) =>
  serveWork(calls.check, {
    before: ({ tx, input }) => claimed(tx, gateways, input),
    work: async asked => ({ asked, answer: await askChannel(asked) }),
    async after(call, { asked, answer }) {
      const { claim, channel } = asked
      const nothing = { flowNo: null, flowStatus: null, flowAmount: null }
      const flow = (await knownFlow(call, channel, claim.serialNo)) ?? nothing
      return { ...flow, line: (await lineOf(call.tx, claim)) ?? null, ...answer }
    },
  })

/** Refuses what cannot be true, before anybody is asked. */
const checkClaim = async (call: Pick<Call, 'tx' | 'session'>, input: Submitted, { channel, merchants }: Asked) => {
  const { tx, session } = call
  if (isZero(input.amount)) throw invalid('amount', 'validation.writeOffIncomplete')
  if (Date.parse(input.entryTime) > tx.now.getTime()) throw invalid('entryTime', 'validation.dateInFuture')
  await checkSerials(tx, [{ channel, serialNo: input.serialNo, amount: input.amount, path: 'serialNo' }])
  if (!input.orderNo) return undefined
  const order = await findOrder(tx, session, input.orderNo)
  if (!merchants.includes(order.merchantNo)) throw invalid('orderNo', 'errors.orderOfOtherAccount')
  if (order.payoutTime === null) throw invalid('orderNo', 'errors.orderNotPaidOut')
  if (Date.parse(input.entryTime) < Date.parse(String(order.payoutTime)))
    throw invalid('entryTime', 'errors.paidBeforePayout', { time: eatDateTime(String(order.payoutTime)) })
  return order
}

/** Earlier supplements that were proven by one of these files. */
const sameFiles = (tx: Tx, uploadNos: readonly string[]) =>
  tx.rows(sql<{ supplementNo: string }>`
    select distinct s.supplement_no from upload mine
      join upload other on other.file_sha256 = mine.file_sha256 and other.upload_no <> mine.upload_no
      join attachment a on a.upload_no = other.upload_no and a.object_type = 'flow' and a.removed_time is null
      join flow_supplement s on s.flow_no = a.object_no
    where mine.upload_no = any(${[...uploadNos]}) order by s.supplement_no limit 5`)

/** Its files are there, and nobody sent one of them before without saying so. */
const checkFiles = async ({ tx, actor }: Pick<Call, 'tx' | 'actor'>, { attachNos, sameProofSeen }: Submitted) => {
  for (const uploadNo of new Set(attachNos)) await lockReady(tx, uploadNo, { purpose: 'attachment', userNo: actor.no })
  const used = sameProofSeen ? [] : await sameFiles(tx, attachNos)
  if (used.length === 0) return
  const list = used.map(({ supplementNo }) => supplementNo).join(', ')
  throw new Fault('needsConfirmation', 'errors.proofUsedBefore', { list }, { confirm: ['sameProofSeen'] })
}

const enter = async (call: Call<Submitted>, asked: Asked, { channelAnswer }: Answer) => {
  const { tx, session, input, actor } = call
  const { channel, merchants } = asked
  const order = await checkClaim(call, input, asked)
  const attachNos = [...new Set(input.attachNos)]
  const { fundAccountNo, serialNo, paymentCode, payerName, payerAccount } = input
  const owner = order
    ? { merchantNo: order.merchantNo, customerNo: order.customerNo }
    : await ownerOf(tx, session, paymentCode, merchants)
  const entryTime = new Date(input.entryTime).toISOString()
  const amount = money(input.amount)
  const entered = {
    channel,
    serialNo,
    amount,
    entryTime,
    fundAccountNo,
    paymentCode,
    payerName,
    payerAccount,
    source: 'supplement',
    ...owner,
  }
  const flow = await enterFlow(tx, 'supplement.submit', entered, actor)
  const supplementNo = newNo('SU', tx.now)
  await tx.flush()
  await tx.exec(sql`
    insert into flow_supplement (supplement_no, flow_no, order_no, channel_answer, remark, maker_no, maker_name, created_time)
    values (${supplementNo}, ${flow.flowNo}, ${order?.orderNo ?? null}, ${channelAnswer}, ${input.remark ?? null}, ${actor.no}, ${actor.name}, ${tx.now})`)
  for (const uploadNo of attachNos) await attachUpload(tx, uploadNo, 'flow', flow.flowNo, actor)
  await keepAsEvidence(tx, { objectType: 'flow', objectNo: flow.flowNo, decision: 'supplement.submit' })
  return { supplementNo, flow }
}

const submit = (gateways: Gateways) =>
  serveWork(calls.submit, {
    async before(call) {
      const asked = await claimed(call.tx, gateways, call.input)
      await checkClaim(call, call.input, asked)
      await checkFiles(call, call.input)
      return asked
    },
    work: async asked => ({ asked, answer: await askChannel(asked) }),
    async after(call, { asked, answer }) {
      if (answer.channelAnswer === 'denied') throw invalid('serialNo', 'errors.noTransaction')
      const { supplementNo, flow } = await enter(call, asked, answer)
      const { flowNo, flowStatus, channel, serialNo, amount, entryTime, fundAccountNo } = flow
      call.audit({
        objectType: 'flow',
        objectNo: flowNo,
        after: { supplementNo, channel, serialNo, amount, entryTime, fundAccountNo, flowStatus, ...answer },
      })
      return { supplementNo, flowNo, flowStatus }
    },
  })

type Decision = Pick<Call<{ supplementNo: string; version: number }>, 'tx' | 'session' | 'actor' | 'input'>

const held = async (call: Decision, command: typeof calls.approve | typeof calls.reject) => {
  const { tx, session, actor, input } = call
  const found = await lockSupplement(tx, session, input.supplementNo)
  await supplementBlocks.check(call, command, input.supplementNo)
  checkVersion(found.flow, input.version)
  const marks = await sharedMarks(tx, actor.no, [found.supplement.makerNo])
  if (marks.length > 0) throw samePersonFault(marks)
  return found
}

const reviewed = async ({ tx, actor, input }: Decision, o: { reason?: string; seenInPortal?: boolean }) => {
  await tx.flush()
  await tx.exec(sql`
    update flow_supplement set reviewer_no = ${actor.no}, reviewer_name = ${actor.name}, review_time = ${tx.now}, review_reason = ${o.reason ?? null}, seen_in_portal = ${o.seenInPortal ?? false}
    where supplement_no = ${input.supplementNo}`)
}

/** A second person makes it money: by the line of a statement, or because they saw it in the portal of the channel. */
const approve = serve(calls.approve, async call => {
  const { tx, actor, input, audit } = call
  const { flow } = await held(call, calls.approve)
  const line = flow.fundAccountNo ? await lineOf(tx, { ...flow, fundAccountNo: flow.fundAccountNo }) : undefined
  if (line && !eq(line.amount, flow.amount))
    throw new Fault('stateConflict', 'errors.supplementOtherAmount', {
      line: formatMoney(line.amount),
      given: formatMoney(flow.amount),
    })
  const seenInPortal = !line && input.seenInPortal === true
  if (!line && !seenInPortal)
    throw new Fault('needsConfirmation', 'errors.supplementNotOnStatement', {}, { confirm: ['seenInPortal'] })
  const proof = line ? 'statement' : 'person'
  const set = { proof, isrecord: Boolean(line), waitReason: null }
  const payload = { proof, ...(seenInPortal ? { seenInPortal } : {}) }
  const booked: Flow = await transition(tx, 'flow', flow, { event: 'supplement.approve', set, payload }, actor)
  await bookReceipt(tx, booked, actor)
  await reviewed(call, { seenInPortal })
  const { flowNo, flowStatus, amount } = booked
  audit({
    objectType: 'flow',
    objectNo: flowNo,
    before: { flowStatus: flow.flowStatus },
    after: { flowStatus, amount, supplementNo: input.supplementNo, ...payload },
  })
  return { flowNo, flowStatus }
})

const reject = serve(calls.reject, async call => {
  const { tx, actor, input, audit } = call
  const { flow } = await held(call, calls.reject)
  const { reason } = input
  const ended: Flow = await transition(tx, 'flow', flow, { event: 'supplement.reject', payload: { reason } }, actor)
  await reviewed(call, { reason })
  const { flowNo, flowStatus } = ended
  audit({
    objectType: 'flow',
    objectNo: flowNo,
    before: { flowStatus: flow.flowStatus },
    after: { flowStatus, supplementNo: input.supplementNo, reason },
  })
  return { flowNo, flowStatus }
})

/** Earlier supplements with the same file, transaction number or payer. */
const earlierOf = (tx: Tx, session: Call['session'], flowNo: string) =>
  tx.rows(sql<{
    supplementNo: string
    serialNo: string
    amount: string
    flowStatus: Flow['flowStatus']
    createdTime: string
    sameProof: ('file' | 'serial' | 'payer')[]
  }>`
    select * from (
      select s.supplement_no, f.serial_no, f.amount, f.flow_status, s.created_time, array_remove(array[
        case when exists (
          select 1 from attachment a join upload u using (upload_no), attachment b join upload v on v.upload_no = b.upload_no
          where a.object_type = 'flow' and a.object_no = ${flowNo} and b.object_type = 'flow' and b.object_no = f.flow_no and u.file_sha256 = v.file_sha256
        ) then 'file' end,
        case when f.serial_no = this.serial_no then 'serial' end,
        case when f.payer_account = this.payer_account then 'payer' end], null) as same_proof
      from repay_flow this, flow_supplement s join repay_flow f on f.flow_no = s.flow_no
      where this.flow_no = ${flowNo} and s.flow_no <> ${flowNo} and ${flowScope(session)}) e
    where cardinality(same_proof) > 0 order by created_time desc limit 20`)

const detail = serve(calls.detail, async ({ tx, session, input: { supplementNo } }) => {
  const row = await shownRow<SupplementRow>(supplements, { tx, session }, supplementNo)
  if (!row) throw notFound()
  const { fundAccountNo } = await tx.one(sql<{ fundAccountNo: string }>`
    select fund_account_no from repay_flow where flow_no = ${row.flowNo}`)
  return {
    supplement: row,
    line: (await lineOf(tx, { fundAccountNo, serialNo: row.serialNo })) ?? null,
    earlier: await earlierOf(tx, session, row.flowNo),
  }
})

/** Receipts that a customer shows and no channel announced: sent by one person, decided by another. */
export const supplementModule = (gateways: Gateways): Module => ({
  served: [serveListed(supplements), detail, check(gateways), submit(gateways), approve, reject],
  lists: [supplements],
})
