import type { transferPurposes } from '../../../core/contract/charge/transfer.ts'
import { contract } from '../../../core/contract/contract.ts'
import type { ValueOf } from '../../../core/contract/fields.ts'
import type { Money } from '../../../core/rules/money.ts'
import type { Tx } from '../../db/database.ts'
import { Fault } from '../../http/fault.ts'
import type { Audit, Call } from '../../http/serve.ts'
import { noPayout } from '../../money/no-gateway.ts'
import { system } from '../../rights/actor.ts'
import { writeAudit } from '../../rights/audit-rows.ts'
import { actorOf, rightsOfPerson, type Session } from '../../session/session.ts'
import { loanModule } from '../../systems/after-loan/payout/desk/loan.ts'
import { transferModule } from '../../systems/charge/transfer/transfer.ts'
import { applyTransfer } from '../../systems/charge/transfer/transfer-apply.ts'
import { transferSender } from '../../systems/charge/transfer/transfer-sender.ts'
import { lockTransfer } from '../../systems/charge/transfer/transfer-store.ts'
import { at, type Hand, handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'

const { transfer } = contract
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

type Desk = { tx: Tx; hand: Hand; maker: Session; checker: Session }
type Step = 'approve' | 'reject' | 'giveUp' | 'pay' | 'lose' | 'fail' | 'arrive'
type Case = {
  from: string
  to: string
  amount: Money
  purpose: ValueOf<typeof transferPurposes>
  age: number
  steps: readonly Step[]
  by?: 'checker'
  remark?: string
}

const actor = system('demo transfers')
let serials = 9_950_000_000

/** The paper that goes with a request is not part of a demo: nobody keeps its bytes. */
const applied = async (then: Tx, session: Session, { from, to, amount, purpose, remark }: Case): Promise<string> => {
  const by = actorOf(session, { requestId: `demo transfer ${++serials}`, ip: null })
  const lines: Audit[] = []
  const input = {
    fromAccountNo: from,
    toAccountNo: to,
    transferAmount: amount,
    transferPurpose: purpose,
    attachNos: [],
    confirmBelowMinimum: true,
    ...(remark ? { remark } : {}),
  }
  const call = { tx: then, session, actor: by, input, audit: (line: Audit) => void lines.push(line) }
  const { transferNo } = await applyTransfer(call as unknown as Call<typeof input>)
  writeAudit(then, { action: transfer.submit.audit as string, path: transfer.submit.path, actor: by }, lines)
  await then.flush()
  return transferNo
}

const answered = async (then: Tx, externalId: string, what: 'arrive' | 'lose' | 'fail') => {
  const held = await transferSender.hold(then, externalId)
  if (what === 'arrive') await held.apply({ kind: 'success', serialNo: String(++serials) }, actor)
  else if (what === 'lose') await held.apply({ kind: 'unknown', answerCode: 'TIMEOUT' }, actor)
  else
    await held.apply(
      { kind: 'failure', failType: 'amount_limit', answerCode: 'LIMIT', answerMessage: 'daily limit reached' },
      actor,
    )
}

const step = async ({ hand, checker }: Desk, then: Tx, transferNo: string, what: Step) => {
  const held = async () => {
    const { version, attemptNo } = await lockTransfer(then, null, transferNo)
    return { one: { transferNo, version }, externalId: `${transferNo}-${attemptNo}` }
  }
  const { one, externalId } = await held()
  if (what === 'approve') await hand.call(then, checker, transfer.approve, one)
  else if (what === 'reject')
    await hand.call(then, checker, transfer.reject, { ...one, reason: 'Amount not on the slip' })
  else if (what === 'giveUp')
    await hand.call(then, checker, transfer.auditGiveUp, { ...one, reason: 'Float is enough now' })
  else if (what === 'pay') {
    await hand.call(then, checker, transfer.payout, one)
    await then.flush()
    const sent = (await held()).externalId
    await hand.network(then, 'payout.send', sent, { externalId: sent }, { kind: 'accepted' })
  } else await answered(then, externalId, what)
  await then.flush()
}

const cases: readonly Case[] = [
  { from: 'FA1', to: 'FA3', amount: '5000000.00', purpose: 'payout_float', age: 2 * hour, steps: [] },
  { from: 'FA2', to: 'FA1', amount: '1200000.00', purpose: 'sweep', age: 5 * hour, steps: [], remark: 'Daily sweep' },
  { from: 'FA1', to: 'FA3', amount: '80000000.00', purpose: 'payout_float', age: 4 * hour, steps: [] },
  { from: 'FA1', to: 'FA3', amount: '220000000.00', purpose: 'payout_float', age: 7 * hour, steps: ['approve'] },
  { from: 'FA1', to: 'FA2', amount: '300000.00', purpose: 'correction', age: hour, steps: [], by: 'checker' },
  { from: 'FA1', to: 'FA3', amount: '12000000.00', purpose: 'payout_float', age: 20 * hour, steps: ['approve'] },
  { from: 'FA2', to: 'FA1', amount: '900000.00', purpose: 'sweep', age: 22 * hour, steps: ['approve'] },
  { from: 'FA1', to: 'FA2', amount: '450000.00', purpose: 'correction', age: 26 * hour, steps: ['approve'] },
  { from: 'FA2', to: 'FA1', amount: '700000.00', purpose: 'sweep', age: 30 * hour, steps: ['approve', 'pay', 'fail'] },
  {
    from: 'FA1',
    to: 'FA2',
    amount: '250000.00',
    purpose: 'other',
    age: 41 * minute,
    steps: ['approve', 'pay', 'lose'],
  },
  { from: 'FA2', to: 'FA1', amount: '1500000.00', purpose: 'sweep', age: 3 * day, steps: ['approve', 'pay', 'arrive'] },
  { from: 'FA2', to: 'FA1', amount: '800000.00', purpose: 'sweep', age: 8 * hour, steps: ['approve', 'pay', 'arrive'] },
  { from: 'FA2', to: 'FA1', amount: '650000.00', purpose: 'sweep', age: 2 * day, steps: ['reject'] },
  { from: 'FA1', to: 'FA3', amount: '3000000.00', purpose: 'payout_float', age: 6 * day, steps: ['approve', 'giveUp'] },
]

/** The accounts of a small demo have not taken in so much. */
const unlessShort = (error: unknown): null => {
  if (error instanceof Fault && error.key === 'errors.transferTooMuch') return null
  throw error
}

/** Own money on its way between accounts, in all states. */
export const writeTransfers = async (tx: Tx): Promise<void> => {
  const payout = { mtn_momo: noPayout }
  const desk: Desk = {
    tx,
    hand: handFor([transferModule({ payout }), loanModule({ payout }, undefined, [transferSender])]),
    maker: await rightsOfPerson(tx, userNoOf('finance1'), 'en'),
    checker: await rightsOfPerson(tx, userNoOf('finance2'), 'en'),
  }
  for (const given of cases) {
    const begun = tx.now.getTime() - given.age
    const who = given.by === 'checker' ? desk.checker : desk.maker
    const transferNo = await applied(at(tx, new Date(begun)), who, given).catch(unlessShort)
    if (transferNo === null) continue
    for (const [n, what] of given.steps.entries())
      await step(desk, at(tx, new Date(begun + Math.min((n + 1) * minute, given.age / 2))), transferNo, what)
  }
}
