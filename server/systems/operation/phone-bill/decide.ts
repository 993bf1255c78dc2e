import { phoneBill as calls } from '../../../../core/contract/operation/phone-bill.ts'
import { pathOf } from '../../../../core/contract/pages.ts'
import type { Tx } from '../../../db/database.ts'
import { checkVersion, Fault } from '../../../http/fault.ts'
import { type Call, serve, serveEach } from '../../../http/serve.ts'
import { tell } from '../../../messages/message.ts'
import { samePersonFault, sharedMarks } from '../../../rights/same-person.ts'
import { transition } from '../../../states/transition.ts'
import { confirmOutcome, sendOut } from '../../charge/send/index.ts'
import { payer } from './paying.ts'
import { phoneBillBlocks } from './phone-bill-blocks.ts'
import { lockPhoneBill, type PhoneBill, payableOf, reread } from './phone-bill-store.ts'
import { lockRecipients, refusalFault, refusalOf } from './recipients.ts'

type Command = Parameters<typeof phoneBillBlocks.check>[1]

const ids = ({ phoneBillNos }: { phoneBillNos: readonly string[] }) => [...new Set(phoneBillNos)]
const noted = (call: Pick<Call, 'audit'>, objectNo: string, before: object, after: object): void =>
  call.audit({ objectType: 'phoneBill', objectNo, before: { ...before }, after: { ...after } })

/** Airtime within the data rule, locked, in a state for what is asked. */
const held = async ({ tx, session }: Pick<Call, 'tx' | 'session'>, command: Command, no: string) => {
  const bill = await lockPhoneBill(tx, session, no)
  await phoneBillBlocks.check({ tx, session }, command, no)
  return bill
}

/** The month may have filled up, and caps may have sunk, since it was asked for. What waits counts itself already. */
const needRoom = async (tx: Tx, { userNo, purposeMonth: month, amount, phone, phoneBillStatus }: PhoneBill) => {
  const [person] = await lockRecipients(tx, null, { userNos: [userNo], month })
  const more = phoneBillStatus === 'pending' ? ('0.00' as const) : amount
  const refusal = person && refusalOf(person, { amount: more, phone, again: true })
  if (refusal) throw refusalFault(refusal)
}

type Move = { event: 'phone.audit' | 'phone.retry'; as?: 'approve'; set?: object }

/** Takes the money out of the account and hands it to the vendor, under a reference of its own. */
const send = async ({ tx, actor }: Pick<Call, 'tx' | 'actor'>, before: PhoneBill, { set, ...move }: Move) => {
  await needRoom(tx, before)
  const from = await payer(tx)
  const { fundAccountNo } = from
  const attemptNo = before.attemptNo + 1
  const moved = { ...move, set: { ...set, attemptNo, fundAccountNo, failType: null, failReason: null } }
  await transition(tx, 'phoneRecharge', before, moved, actor)
  const payable = payableOf(tx, await reread(tx, before.phoneBillNo))
  await sendOut(tx, payable, { from, amount: before.amount, payee: before.phone }, actor)
  return { phoneBillStatus: 'paying', attemptNo, fundAccountNo }
}

/** A second account of who asked is no second person. */
const refuseSamePerson = async (tx: Tx, actorNo: string, { makerNo }: PhoneBill) => {
  const marks = await sharedMarks(tx, actorNo, [makerNo])
  if (marks.length > 0) throw samePersonFault(marks)
}

/** A second person agrees, and it is paid. */
export const approve = serveEach(calls.approve, {
  ids,
  async row(no, call) {
    const { tx, actor } = call
    const before = await held(call, calls.approve, no)
    await refuseSamePerson(tx, actor.no, before)
    const set = { checkerNo: actor.no, checkerName: actor.name, auditTime: tx.now }
    const after = await send(call, before, { event: 'phone.audit', as: 'approve', set })
    noted(call, no, { phoneBillStatus: 'pending' }, { ...after, amount: before.amount })
  },
})

/** A second person does not agree; who asked is given the reason. */
export const reject = serveEach(calls.reject, {
  ids,
  async row(no, call) {
    const { tx, actor, input } = call
    const before = await held(call, calls.reject, no)
    await refuseSamePerson(tx, actor.no, before)
    const { reason } = input
    const set = { checkerNo: actor.no, checkerName: actor.name, auditTime: tx.now, auditReason: reason }
    const move = { event: 'phone.audit', as: 'reject', set, payload: { reason } }
    await transition(tx, 'phoneRecharge', before, move, actor)
    tell(tx, {
      to: before.makerNo,
      messageType: 'notice',
      template: 'phoneBillRejected',
      params: { phoneBillNo: no, reason },
      objectType: 'phoneBill',
      objectNo: no,
      route: `${pathOf('OperationSystem', 'EmployeePhoneBillRecharge')}?phoneBillNo=${no}`,
    })
    noted(call, no, { phoneBillStatus: 'pending' }, { phoneBillStatus: 'rejected', reason })
  },
})

/** Once more, under a new reference, what failed for good; what is unknown is never sent again. */
export const retry = serveEach(calls.retry, {
  ids,
  async row(no, call) {
    const before = await held(call, calls.retry, no)
    noted(call, no, { phoneBillStatus: 'failed' }, await send(call, before, { event: 'phone.retry' }))
  },
})

/** Two persons confirm by a statement what the vendor does not say. */
export const confirm = serve(calls.confirm, async call => {
  const { tx, input } = call
  const before = await held(call, calls.confirm, input.phoneBillNo)
  checkVersion(before, input.version)
  const status = {
    field: 'phoneBillStatus',
    now: async () => (await reread(tx, before.phoneBillNo)).phoneBillStatus as 'paying',
  }
  const { involved } = await phoneBillBlocks.check(call, calls.confirm, before.phoneBillNo)
  const said = await confirmOutcome(call, { payable: payableOf(tx, before), involved, status })
  return said instanceof Fault ? said : { confirmStatus: said.confirmStatus, phoneBillStatus: said.status }
})
