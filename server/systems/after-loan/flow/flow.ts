import { sql } from 'kysely'
import { repay } from '../../../../core/contract/after-loan/repayment.ts'
import type { ParsedOf } from '../../../../core/contract/endpoint.ts'
import { mask } from '../../../../core/rules/mask.ts'
import { formatMoney, isZero, money } from '../../../../core/rules/money.ts'
import { eatDateTime } from '../../../../core/rules/time.ts'
import { requestApproval } from '../../../approval/approval.ts'
import type { Tx } from '../../../db/database.ts'
import { attachEvidence } from '../../../files/uploads/stored.ts'
import { checkVersion, Fault, invalid } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { listed, serveListed } from '../../../lists/listed.ts'
import type { ApprovalAction, Deps, Module } from '../../../module.ts'
import type { Actor } from '../../../rights/actor.ts'
import type { Session } from '../../../session/session.ts'
import { transition } from '../../../states/transition.ts'
import { flowColumns, flowFrom } from '../repayment/repay-source.ts'
import { orderOfPayCode } from '../write-off/write-off-form.ts'
import { flowBlocks, incomplete } from './flow-blocks.ts'
import {
  checkSerials,
  collectionAccounts,
  commitFlow,
  enterFlow,
  type Flow,
  flowScope,
  lockFlow,
  proveFlow,
  voidFlow,
} from './flow-store.ts'

const page = 'repay:flow:list'
const voidPerm = 'repay:flow:void'
const commitPerm = 'repay:flow:commit'

const flows = listed({
  list: repay.flows,
  source: ({ tx, session }) => ({
    from: flowFrom,
    alias: 'f',
    key: sql`f.flow_no`,
    where: flowScope(session, page),
    columns: flowColumns(tx),
  }),
  blocked: flowBlocks,
  check: ({ tx, session, input, actor }) => {
    if (!input.payerAccount) return
    tx.append('accessLog', {
      userNo: session.userNo,
      accessKind: 'search',
      objectType: 'flow',
      objectNo: mask(input.payerAccount),
      field: 'payerAccount',
      at: tx.now,
      ip: actor.ip,
      requestId: actor.requestId,
      partnerNo: actor.partnerNo,
    })
  },
})

/** Whose money it is: the order of the pay code says it, else the account where it serves one merchant, else the caller's own merchant. */
export const ownerOf = async (
  tx: Tx,
  session: Session,
  paymentCode: string | undefined,
  merchants: readonly string[],
) => {
  const order = paymentCode ? await orderOfPayCode(tx, paymentCode) : undefined
  if (order && merchants.includes(order.merchantNo))
    return { merchantNo: order.merchantNo, customerNo: order.customerNo }
  const merchantNo = merchants.length === 1 ? merchants[0] : session.merchants.find(own => merchants.includes(own))
  return { merchantNo: merchantNo ?? null, customerNo: null }
}

const committed = (tx: Tx, session: Session, draft: Flow, actor: Actor): Promise<Flow> => {
  if (!session.perms.has(commitPerm)) throw new Fault('forbidden', 'errors.forbidden')
  const refusal = incomplete(draft)
  if (refusal) throw refusal
  return commitFlow(tx, draft, actor)
}

/** The account of ours that was named, or the one that the pay code leads to. */
const accountFor = async (tx: Tx, input: ParsedOf<typeof repay.flowSave>) => {
  const { paymentChannel: channel, fundAccountNo, paymentCode } = input
  if (fundAccountNo) return (await collectionAccounts(tx, { channel, fundAccountNo }))[0]
  const order = paymentCode ? await orderOfPayCode(tx, paymentCode) : undefined
  return order ? (await collectionAccounts(tx, { channel, merchantNo: order.merchantNo }))[0] : undefined
}

const save = serve(repay.flowSave, async ({ tx, session, input, actor, audit }) => {
  const { paymentChannel: channel, serialNo, paymentCode, payerName } = input
  if (isZero(input.amount)) throw invalid('amount', 'validation.writeOffIncomplete')
  if (Date.parse(input.entryTime) > tx.now.getTime()) throw invalid('entryTime', 'validation.dateInFuture')
  await checkSerials(tx, [{ channel, serialNo, amount: input.amount, path: 'serialNo' }])
  const account = await accountFor(tx, input)
  if (!account) throw invalid('fundAccountNo', 'errors.noCollectionAccount')
  const { fundAccountNo } = account
  const owner = await ownerOf(tx, session, paymentCode, account.merchants)
  const entryTime = new Date(input.entryTime).toISOString()
  const entered = {
    channel,
    serialNo,
    entryTime,
    paymentCode,
    fundAccountNo,
    payerName,
    amount: money(input.amount),
    source: 'typed',
    ...owner,
  }
  const draft = await enterFlow(tx, 'flow.save', entered, actor)
  const flow = input.commit ? await committed(tx, session, draft, actor) : draft
  const { flowNo, flowStatus } = flow
  audit({
    objectType: 'flow',
    objectNo: flowNo,
    after: { channel, serialNo, amount: flow.amount, entryTime, fundAccountNo, flowStatus },
  })
  return { flowNo, flowStatus }
})

const commit = serve(repay.flowCommit, async call => {
  const { tx, session, input, actor, audit } = call
  const flow = await lockFlow(tx, input.flowNo, flowScope(session))
  checkVersion(flow, input.version)
  await flowBlocks.check(call, repay.flowCommit, flow.flowNo)
  const { flowStatus } = await commitFlow(tx, flow, actor)
  audit({
    objectType: 'flow',
    objectNo: flow.flowNo,
    before: { flowStatus: flow.flowStatus },
    after: { flowStatus, amount: flow.amount },
  })
  return { flowNo: flow.flowNo, flowStatus }
})

const remove = serve(repay.flowDelete, async call => {
  const { tx, session, input, actor, audit } = call
  const flow = await lockFlow(tx, input.flowNo, flowScope(session))
  checkVersion(flow, input.version)
  await flowBlocks.check(call, repay.flowDelete, flow.flowNo)
  const { flowStatus } = await transition(tx, 'flow', flow, { event: 'flow.delete' }, actor)
  audit({ objectType: 'flow', objectNo: flow.flowNo, before: { flowStatus: flow.flowStatus }, after: { flowStatus } })
  return { flowNo: flow.flowNo, flowStatus }
})

const accountName = async (tx: Tx, { fundAccountNo }: Flow): Promise<string | null> => {
  const found = await tx.maybe(sql<{ accountName: string }>`
    select account_name from fund_account where fund_account_no = ${fundAccountNo}`)
  return found?.accountName ?? fundAccountNo
}

/** Asks a second person to confirm what nothing but a document shows. */
const askConfirm = serve(repay.flowConfirm, async call => {
  const { tx, session, input, actor, audit } = call
  const flow = await lockFlow(tx, input.flowNo, flowScope(session))
  checkVersion(flow, input.version)
  const { flowNo, flowStatus, merchantNo } = flow
  await flowBlocks.check(call, repay.flowConfirm, flowNo)
  const about = { objectType: 'flow', objectNo: flowNo }
  const shown = await attachEvidence(tx, input.evidence, { ...about, decision: 'flow.confirm' }, actor)
  const line = (label: string, after: string | null) => ({ label, before: null, after })
  const approvalNo = await requestApproval(call, {
    ...about,
    action: 'flow.confirm',
    perm: commitPerm,
    merchantNo: merchantNo ?? undefined,
    version: flow.version,
    payload: { flowNo, sha256: shown.sha256 },
    alsoMadeBy: [flow.createdBy],
    summary: [
      {
        label: 'fields.flowStatus',
        before: `dict.FLOW_STATUS.${flowStatus}`,
        after: 'dict.FLOW_STATUS.available',
      },
      line('fields.paymentChannel', `dict.CHANNEL.${flow.channel}`),
      line('fields.accountName', await accountName(tx, flow)),
      line('fields.serialNo', flow.serialNo),
      line('fields.amount', `UGX ${formatMoney(flow.amount)}`),
      line('fields.entryTime', eatDateTime(flow.entryTime)),
      line('fields.paymentCode', flow.paymentCode),
      line('fields.payerName', flow.payerName),
      line('fields.evidence', shown.evidence),
    ],
  })
  audit({ ...about, after: { approvalNo, ...shown } })
  return { approvalNo }
})

/** A second person confirms the receipt; neither who typed it nor who asked is that person. */
const confirmApproval: ApprovalAction = {
  action: 'flow.confirm',
  perm: commitPerm,
  money: true,
  async execute(tx, { objectNo, checker }) {
    const flow = await lockFlow(tx, objectNo)
    await proveFlow(tx, flow, 'person', {}, checker)
  },
}

const askVoid = serve(repay.flowVoid, async call => {
  const { tx, session, input, audit } = call
  const flow = await lockFlow(tx, input.flowNo, flowScope(session))
  checkVersion(flow, input.version)
  await flowBlocks.check(call, repay.flowVoid, flow.flowNo)
  const approvalNo = await requestApproval(call, {
    action: 'flow.void',
    perm: voidPerm,
    objectType: 'flow',
    objectNo: flow.flowNo,
    merchantNo: flow.merchantNo ?? undefined,
    version: flow.version,
    payload: { flowNo: flow.flowNo, reason: input.reason },
    summary: [
      { label: 'fields.flowStatus', before: `dict.FLOW_STATUS.${flow.flowStatus}`, after: 'dict.FLOW_STATUS.void' },
      { label: 'fields.serialNo', before: null, after: flow.serialNo },
      { label: 'fields.amount', before: null, after: flow.amount },
      { label: 'fields.reason', before: null, after: input.reason },
    ],
  })
  audit({ objectType: 'flow', objectNo: flow.flowNo, after: { approvalNo, reason: input.reason } })
  return { approvalNo }
})

const voidApproval: ApprovalAction = {
  action: 'flow.void',
  perm: voidPerm,
  money: true,
  async execute(tx, { objectNo, payload, checker }) {
    await voidFlow(tx, await lockFlow(tx, objectNo), String(payload.reason), checker)
  },
}

/** Receipts of money: the list, entering one by hand, and taking one out of the books with a second person. */
export const flowModule = (_deps: Deps): Module => ({
  served: [serveListed(flows), save, commit, askConfirm, remove, askVoid],
  lists: [flows],
  approvals: [voidApproval, confirmApproval],
})
