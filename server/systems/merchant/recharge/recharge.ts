import { sql } from 'kysely'
import { recharge as calls } from '../../../../core/contract/merchant/recharge.ts'
import { pathOf } from '../../../../core/contract/pages.ts'
import { formatMoney, isPositive, isWhole, type Money, money, neg } from '../../../../core/rules/money.ts'
import { requestApproval } from '../../../approval/approval.ts'
import type { Tx } from '../../../db/database.ts'
import { violatedConstraint } from '../../../db/faults.ts'
import { attachEvidence } from '../../../files/uploads/stored.ts'
import { checkVersion, Fault, invalid } from '../../../http/fault.ts'
import { type Call, serve } from '../../../http/serve.ts'
import { serveListed } from '../../../lists/listed.ts'
import { tell } from '../../../messages/message.ts'
import type { ApprovalAction, Module } from '../../../module.ts'
import { account, post, reverse } from '../../../money/ledger.ts'
import { newNo } from '../../../money/numbers.ts'
import { samePersonFault, sharedMarks } from '../../../rights/same-person.ts'
import { create, transition } from '../../../states/transition.ts'
import { journalRows } from '../../after-loan/payout/index.ts'
import { merchantScope, walletBalance } from '../consumption/index.ts'
import {
  accountSeen,
  bankLineOf,
  bankLines,
  beyondWallet,
  lockRecharge,
  objectType,
  type Recharge,
  rechargeBlocks,
  recharges,
  rowOf,
} from './recharge-source.ts'

type Asked = {
  merchantNo: string
  fundAccountNo: string
  rechargeAmount: string
  serialNo: string
  payerName: string
  bankEntryTime: string
  receipt?: string | undefined
  remark?: string | undefined
  confirmSameReceipt?: boolean | undefined
}

const standingOf = ({ rechargeNo, rechargeStatus, version }: Recharge) => ({
  rechargeNo,
  rechargeStatus: rechargeStatus as 'pending',
  version,
})
const cause = (rechargeNo: string) => `merchant_recharge:${rechargeNo}`

const seen = async ({ tx, session }: Pick<Call, 'tx' | 'session'>, { merchantNo, fundAccountNo }: Asked) => {
  const merchant = await tx.maybe(
    sql`select 1 from merchant m where m.merchant_no = ${merchantNo} and m.deleted_time is null and ${merchantScope(session, 'm.merchant_no')}`,
  )
  if (!merchant) throw invalid('merchantNo', 'validation.wrongValue')
  const own = await tx.maybe(
    sql`select 1 from fund_account f where f.fund_account_no = ${fundAccountNo} and f.enabled = 'enabled' and ${accountSeen(session, sql`f.fund_account_no`)}`,
  )
  if (!own) throw invalid('fundAccountNo', 'validation.ownAccount')
}

/** A payment of the bank is one thing: nobody else's repayment, and no other top-up. */
const unused = async (tx: Tx, { fundAccountNo, serialNo }: Asked, but: string | null) => {
  const other = await tx.maybe(sql`
    select 1 from merchant_recharge where fund_account_no = ${fundAccountNo} and serial_no = ${serialNo} and recharge_no is distinct from ${but}`)
  if (other) throw invalid('serialNo', 'validation.serialUsed')
  const flow = await tx.maybe(sql`
    select 1 from repay_flow rf join fund_account f on f.channel = rf.channel where f.fund_account_no = ${fundAccountNo} and rf.serial_no = ${serialNo}`)
  if (flow) throw invalid('serialNo', 'validation.serialIsFlow')
}

/** The same picture a second time may be the same payment: who hands it in says that it is not. */
const sameReceipt = async (tx: Tx, { receipt, confirmSameReceipt }: Asked) => {
  if (!receipt || confirmSameReceipt) return
  const before = await tx.maybe(sql<{ no: string }>`
    select a.object_no as no from upload u join upload o on o.file_sha256 = u.file_sha256 and o.upload_no <> u.upload_no join attachment a on a.upload_no = o.upload_no
    where u.upload_no = ${receipt} and a.object_type = ${objectType} limit 1`)
  if (before)
    throw new Fault(
      'needsConfirmation',
      'errors.sameReceipt',
      { rechargeNo: before.no },
      { confirm: ['confirmSameReceipt'] },
    )
}

const checked = async (call: Call<Asked>, but: string | null) => {
  const { tx, input } = call
  await seen(call, input)
  const amount: Money = money(input.rechargeAmount)
  if (!isPositive(amount)) throw invalid('rechargeAmount', 'validation.aboveZero')
  if (!isWhole(amount)) throw invalid('rechargeAmount', 'validation.wholeShillings')
  if (Date.parse(input.bankEntryTime) > tx.now.getTime()) throw invalid('bankEntryTime', 'validation.notFuture')
  await unused(tx, input, but)
  await sameReceipt(tx, input)
  const { merchantNo, fundAccountNo, serialNo, payerName, bankEntryTime } = input
  return {
    merchantNo,
    rechargeAmount: amount,
    fundAccountNo,
    serialNo,
    payerName,
    bankEntryTime,
    remark: input.remark || null,
    submitTime: tx.now,
  }
}

const once = async <T>(run: () => Promise<T>): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    if (violatedConstraint(error) === 'merchant_recharge_fund_account_no_serial_no_key')
      throw invalid('serialNo', 'validation.serialUsed')
    throw error
  }
}

const keepReceipt = (call: Call<Asked>, objectNo: string) =>
  call.input.receipt
    ? attachEvidence(call.tx, call.input.receipt, { objectType, objectNo, decision: 'recharge.submit' }, call.actor)
    : null

/** Finance books what a merchant paid in, with the receipt that shows it. */
const submit = serve(calls.submit, async call => {
  const { tx, actor } = call
  const asked = await checked(call, null)
  const rechargeNo = newNo('MR', tx.now)
  const made = { makerNo: actor.no, makerName: actor.name, createdTime: tx.now }
  await once(() =>
    create(tx, 'merchantRecharge', { rechargeNo, ...asked, ...made }, { event: 'recharge.submit' }, actor),
  )
  const files = await keepReceipt(call, rechargeNo)
  call.audit({ objectType, objectNo: rechargeNo, after: { ...asked, ...files } })
  return standingOf(await lockRecharge(tx, null, rechargeNo))
})

type Named = { rechargeNo: string; version: number }
const held = async (call: Call<Named>, command: Parameters<typeof rechargeBlocks.check>[1]) => {
  const row = await lockRecharge(call.tx, call.session, call.input.rechargeNo)
  checkVersion(row, call.input.version)
  await rechargeBlocks.check(call, command, row.rechargeNo)
  return row
}

const resubmit = serve(calls.resubmit, async call => {
  const { tx, actor } = call
  const before = await held(call, calls.resubmit)
  const asked = await checked(call, before.rechargeNo)
  const set = { ...asked, auditReason: null, auditTime: null, checkerNo: null, checkerName: null }
  const moved = await once(() => transition(tx, 'merchantRecharge', before, { event: 'recharge.resubmit', set }, actor))
  const files = await keepReceipt(call, before.rechargeNo)
  const was = { rechargeAmount: before.rechargeAmount, serialNo: before.serialNo }
  call.audit({ objectType, objectNo: before.rechargeNo, before: was, after: { ...asked, ...files } })
  return standingOf(moved)
})

/** A second account of who booked it is no second person. */
const refuseSamePerson = async (tx: Tx, actorNo: string, makerNo: string) => {
  const marks = await sharedMarks(tx, actorNo, [makerNo])
  if (marks.length > 0) throw samePersonFault(marks)
}

/** The money reaches the wallet: the bank's own line shows it, or the checker says why it is known. */
const approve = serve(calls.approve, async call => {
  const { tx, actor, input } = call
  const before = await held(call, calls.approve)
  const { rechargeNo, merchantNo, rechargeAmount: amount, fundAccountNo } = before
  await refuseSamePerson(tx, actor.no, before.makerNo)
  const line = await bankLineOf(tx, rechargeNo)
  if (!line && !input.reason) throw invalid('reason', 'validation.reasonWithoutLine')
  const journalNo = await post(
    tx,
    {
      code: 'P13',
      cause: cause(rechargeNo),
      keys: { merchantNo },
      lines: [
        { account: account.bank(fundAccountNo), amount },
        { account: account.merchant(merchantNo), amount: neg(amount) },
      ],
    },
    actor,
  )
  const balanceAfter = await walletBalance(tx, merchantNo)
  const decided = { checkerNo: actor.no, checkerName: actor.name, auditTime: tx.now, auditReason: input.reason || null }
  const move = { event: 'recharge.audit', as: 'approve', set: { ...decided, journalNo, balanceAfter } }
  const moved = await transition(tx, 'merchantRecharge', before, move, actor)
  const after = { rechargeStatus: 'confirmed', amount, balanceAfter, lineNo: line?.lineNo ?? null }
  call.audit({ objectType, objectNo: rechargeNo, before: { rechargeStatus: 'pending' }, after })
  return { ...standingOf(moved), balanceAfter }
})

const reject = serve(calls.reject, async call => {
  const { tx, actor, input } = call
  const before = await held(call, calls.reject)
  await refuseSamePerson(tx, actor.no, before.makerNo)
  const { reason } = input
  const set = { checkerNo: actor.no, checkerName: actor.name, auditTime: tx.now, auditReason: reason }
  const move = { event: 'recharge.audit', as: 'reject', set, payload: { reason } }
  const moved = await transition(tx, 'merchantRecharge', before, move, actor)
  const { rechargeNo } = moved
  tell(tx, {
    to: before.makerNo,
    messageType: 'notice',
    template: 'rechargeRejected',
    params: { rechargeNo, reason },
    objectType,
    objectNo: rechargeNo,
    route: `${pathOf('MerchantSystem', 'RechargeRecord')}?rechargeNo=${rechargeNo}`,
  })
  call.audit({ objectType, objectNo: rechargeNo, after: { rechargeStatus: 'rejected', reason } })
  return standingOf(moved)
})

const action = 'recharge.reverse'

/** Asks for a top-up that never was, or was booked wrongly, to leave the wallet. */
const askReverse = serve(calls.reverse, async call => {
  const { tx, actor, input } = call
  const row = await held(call, calls.reverse)
  const { rechargeNo, merchantNo, rechargeAmount } = row
  const refusal = beyondWallet(await walletBalance(tx, merchantNo), rechargeAmount)
  if (refusal) throw refusal
  const files = await attachEvidence(tx, input.evidence, { objectType, objectNo: rechargeNo, decision: action }, actor)
  const approvalNo = await requestApproval(call, {
    action,
    perm: calls.reverse.perm as string,
    objectType,
    objectNo: rechargeNo,
    merchantNo,
    version: row.version,
    payload: { reason: input.reason },
    summary: [
      { label: 'fields.rechargeAmount', before: formatMoney(rechargeAmount), after: null },
      { label: 'fields.walletBalance', before: formatMoney(await walletBalance(tx, merchantNo)), after: null },
      { label: 'fields.reason', before: null, after: input.reason },
    ],
  })
  call.audit({ objectType, objectNo: rechargeNo, after: { approvalNo, reason: input.reason, ...files } })
  return { approvalNo }
})

const reverseApproval: ApprovalAction = {
  action,
  perm: calls.reverse.perm as string,
  money: true,
  async execute(tx, { objectNo, payload, checker }) {
    const row = await lockRecharge(tx, null, objectNo)
    const refusal = beyondWallet(await walletBalance(tx, row.merchantNo), row.rechargeAmount)
    if (refusal) throw refusal
    if (row.journalNo === null) throw new Error(`${objectNo} has no journal`)
    const move = { event: 'recharge.reverse', set: { reverseReason: payload.reason, reverseTime: tx.now } }
    await transition(tx, 'merchantRecharge', row, move, checker)
    await reverse(tx, Number(row.journalNo), cause(objectNo), checker)
  },
}

const detail = serve(calls.detail, async ({ tx, session, input: { rechargeNo } }) => {
  const found = await rowOf({ tx, session }, rechargeNo)
  const history = await tx.rows(sql<{ at: string; event: string; from: string; to: string; actorName: string }>`
    select t.at, t.event, t.from_state as "from", t.to_state as "to", coalesce(u.real_name, t.actor) as actor_name
    from state_transition t left join app_user u on u.user_no = t.actor where t.machine = 'M87' and t.object_no = ${rechargeNo} order by t.transition_no`)
  return {
    recharge: found,
    bank: (await bankLineOf(tx, rechargeNo)) ?? null,
    history,
    journals: await journalRows(tx, sql`j.cause = ${cause(rechargeNo)}`),
  }
})

/** What merchants pay in for services. */
export const rechargeModule = (): Module => ({
  served: [serveListed(recharges), serveListed(bankLines), detail, submit, resubmit, approve, reject, askReverse],
  lists: [recharges],
  approvals: [reverseApproval],
})
