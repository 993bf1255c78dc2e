import { sql } from 'kysely'
import { repay } from '../../core/contract/repay.ts'
import { mask } from '../../core/rules/mask.ts'
import { isZero, money } from '../../core/rules/money.ts'
import { requestApproval } from '../approval.ts'
import type { Tx } from '../db/database.ts'
import { checkVersion, Fault, invalid, stateConflict } from '../fault.ts'
import { listed, serveListed } from '../listed.ts'
import type { ApprovalAction, Deps, Module } from '../module.ts'
import { serve } from '../serve.ts'
import type { Session } from '../session.ts'
import { transition } from '../transition.ts'
import {
  checkSerials,
  collectionAccounts,
  commitFlow,
  enterFlow,
  type Flow,
  flowScope,
  lockFlow,
  voidFlow,
} from './flow-store.ts'
import { flowColumns, flowFrom } from './repay-source.ts'
import { orderOfPayCode } from './write-off-form.ts'

const page = 'repay:flow:list'
const voidPerm = 'repay:flow:void'

const flows = listed({
  list: repay.flows,
  source: ({ tx, session }) => ({
    from: flowFrom,
    alias: 'f',
    key: sql`f.flow_no`,
    where: flowScope(session, page),
    columns: flowColumns(tx),
  }),
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
const ownerOf = async (tx: Tx, session: Session, paymentCode: string | undefined, merchants: readonly string[]) => {
  const order = paymentCode ? await orderOfPayCode(tx, paymentCode) : undefined
  if (order && merchants.includes(order.merchantNo))
    return { merchantNo: order.merchantNo, customerNo: order.customerNo }
  const merchantNo = merchants.length === 1 ? merchants[0] : session.merchants.find(own => merchants.includes(own))
  return { merchantNo: merchantNo ?? null, customerNo: null }
}

const save = serve(repay.flowSave, async ({ tx, session, input, actor, audit }) => {
  const { paymentChannel: channel, serialNo, fundAccountNo, paymentCode, payerName } = input
  if (isZero(input.amount)) throw invalid('amount', 'validation.writeOffIncomplete')
  if (Date.parse(input.entryTime) > tx.now.getTime()) throw invalid('entryTime', 'validation.dateInFuture')
  await checkSerials(tx, [{ channel, serialNo, amount: input.amount, path: 'serialNo' }])
  const [account] = await collectionAccounts(tx, { channel, fundAccountNo })
  if (!account) throw invalid('fundAccountNo', 'errors.noCollectionAccount')
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
  const flow = await enterFlow(tx, 'flow.save', entered, actor)
  audit({
    objectType: 'flow',
    objectNo: flow.flowNo,
    after: { channel, serialNo, amount: flow.amount, entryTime, fundAccountNo },
  })
  return { flowNo: flow.flowNo }
})

/** Everything but the record mark must be there before money counts. */
const checkComplete = (flow: Flow) => {
  const missing = (['paymentCode', 'fundAccountNo', 'serialNo'] as const).find(name => !flow[name])
  if (missing) throw invalid(missing, 'validation.writeOffIncomplete')
}

const commit = serve(repay.flowCommit, async ({ tx, session, input, actor, audit }) => {
  const flow = await lockFlow(tx, input.flowNo, flowScope(session))
  checkVersion(flow, input.version)
  if (flow.flowStatus === 'draft') checkComplete(flow)
  const { flowStatus } = await commitFlow(tx, flow, actor)
  audit({
    objectType: 'flow',
    objectNo: flow.flowNo,
    before: { flowStatus: flow.flowStatus },
    after: { flowStatus, amount: flow.amount },
  })
  return { flowNo: flow.flowNo, flowStatus }
})

const remove = serve(repay.flowDelete, async ({ tx, session, input, actor, audit }) => {
  const flow = await lockFlow(tx, input.flowNo, flowScope(session))
  checkVersion(flow, input.version)
  if (flow.flowStatus === 'draft' && flow.createdBy !== actor.no) throw new Fault('forbidden', 'errors.onlyMaker')
  const { flowStatus } = await transition(tx, 'flow', flow, { event: 'flow.delete' }, actor)
  audit({ objectType: 'flow', objectNo: flow.flowNo, before: { flowStatus: flow.flowStatus }, after: { flowStatus } })
  return { flowNo: flow.flowNo, flowStatus }
})

const askVoid = serve(repay.flowVoid, async call => {
  const { tx, session, input, audit } = call
  const flow = await lockFlow(tx, input.flowNo, flowScope(session))
  checkVersion(flow, input.version)
  if (flow.flowStatus === 'partly_used' || flow.flowStatus === 'exhausted')
    throw new Fault('stateConflict', 'errors.flowInUse', {}, { status: flow.flowStatus })
  if (flow.flowStatus !== 'available') throw stateConflict(flow.flowStatus, 'FLOW_STATUS')
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
      { label: 'fields.serialNo', before: flow.serialNo, after: null },
      { label: 'fields.amount', before: flow.amount, after: null },
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
  served: [serveListed(flows), save, commit, remove, askVoid],
  lists: [flows],
  approvals: [voidApproval],
})
