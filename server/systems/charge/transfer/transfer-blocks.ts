import { sql } from 'kysely'
import { transfer as calls } from '../../../../core/contract/charge/transfer.ts'
import { gt, type Money } from '../../../../core/rules/money.ts'
import { type Asker, blocks } from '../../../approval/blocks.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, stateConflict } from '../../../http/fault.ts'
import { tooEarly } from '../send/confirm.ts'
import type { Transfer } from './transfer-store.ts'

/** What decides what may be done with a transfer. */
export type TransferFacts = {
  transfer: Transfer
  fromChannel: string
  toChannel: string
  fromEnabled: boolean
  toEnabled: boolean
  approvers: readonly string[]
  sentTime: string | null
  firstBy: string | null
  /** Above it only some may approve: the stricter of now and when it was asked for. */
  cap: Money
}

/** Settings with what holds where nobody has set them. */
export const caps = {
  checker: ['transfer.checkerCap', '50000000.00'],
  dual: ['transfer.dualCap', '200000000.00'],
} as const

/** A cap as it is set now. */
export const capNow = ([key, usual]: (typeof caps)[keyof typeof caps]) =>
  sql<Money>`coalesce((select (config_value #>> '{}')::numeric(18,2) from business_config where config_key = ${key}), ${usual}::numeric(18,2))`

const read = async (tx: Tx, keys: readonly string[]): Promise<ReadonlyMap<string, TransferFacts>> => {
  const mine = sql`t.transfer_no = any(${[...keys]})`
  const transfers = await tx.rows(sql<Transfer>`select t.* from transfer_apply t where ${mine}`)
  const rest = await tx.rows(sql<Omit<TransferFacts, 'transfer'> & { transferNo: string }>`
    select t.transfer_no, f.channel as from_channel, g.channel as to_channel, f.enabled = 'enabled' as from_enabled, g.enabled = 'enabled' as to_enabled, ga.sent_time,
      array(select a.user_no from transfer_approval a where a.transfer_no = t.transfer_no and a.round = t.round) as approvers,
      least(t.checker_cap, ${capNow(caps.checker)})::numeric(18,2) as cap,
      (select cf.first_by from loan_code_confirm cf where cf.parent_kind = 'transfer' and cf.parent_no = t.transfer_no and cf.confirm_status = 'first_confirmed') as first_by
    from transfer_apply t join fund_account f on f.fund_account_no = t.from_account_no join fund_account g on g.fund_account_no = t.to_account_no
      left join gateway_attempt ga on ga.parent_kind = 'transfer' and ga.parent_no = t.transfer_no and ga.attempt_no = t.attempt_no
    where ${mine}`)
  const restOf = new Map(rest.map(({ transferNo, ...one }) => [transferNo, one]))
  return new Map(
    transfers.map(transfer => [
      transfer.transferNo,
      { transfer, ...(restOf.get(transfer.transferNo) as (typeof rest)[number]) },
    ]),
  )
}

const conflict = (key: ConstructorParameters<typeof Fault>[1]) => new Fault('stateConflict', key)
const isMaker = ({ transfer }: TransferFacts, { session }: Asker) => session?.userNo === transfer.makerNo

/** Nobody decides about, or pays, what they asked for. */
const own = (facts: TransferFacts, at: Asker) =>
  isMaker(facts, at) ? new Fault('forbidden', 'errors.transferOwn') : null
/** An account that was disabled since stops the transfer; nothing is sent another way. */
const closed = ({ fromEnabled, toEnabled }: TransferFacts) =>
  fromEnabled && toEnabled ? null : conflict('errors.accountDisabled')

const approve = (facts: TransferFacts, at: Asker) => {
  if (facts.transfer.transferStatus !== 'pending') return null
  if (own(facts, at)) return own(facts, at)
  if (at.session && facts.approvers.includes(at.session.userNo)) return new Fault('forbidden', 'errors.approvedBefore')
  if (at.session && gt(facts.transfer.transferAmount, facts.cap) && !at.session.perms.has('transfer:audit:check'))
    return new Fault('forbidden', 'errors.aboveCheckerCap')
  return closed(facts)
}

const reject = (facts: TransferFacts, at: Asker) =>
  facts.transfer.transferStatus === 'pending' ? own(facts, at) : null

const onlyMaker = (facts: TransferFacts, at: Asker, states: readonly string[]) => {
  if (!states.includes(facts.transfer.transferStatus)) return null
  return !at.session || isMaker(facts, at) ? null : new Fault('forbidden', 'errors.onlyMaker')
}

const giveUp = (facts: TransferFacts, at: Asker) => {
  const { transferStatus } = facts.transfer
  if (['approved', 'pay_failed'].includes(transferStatus)) return stateConflict(transferStatus, 'TRANSFER_STATUS')
  return onlyMaker(facts, at, ['pending', 'rejected'])
}
const auditGiveUp = (facts: TransferFacts, at: Asker) => {
  const { transferStatus } = facts.transfer
  if (['pending', 'rejected'].includes(transferStatus)) return stateConflict(transferStatus, 'TRANSFER_STATUS')
  return ['approved', 'pay_failed'].includes(transferStatus) ? own(facts, at) : null
}

/** A network moves money between accounts of its own alone; everything else is paid at the bank by hand. */
export const isByHand = ({ fromChannel, toChannel }: Pick<TransferFacts, 'fromChannel' | 'toChannel'>) =>
  fromChannel === 'bank_file' || fromChannel !== toChannel

const paying = (facts: TransferFacts, at: Asker) =>
  ['approved', 'pay_failed'].includes(facts.transfer.transferStatus) ? (own(facts, at) ?? closed(facts)) : null
const payout = (facts: TransferFacts, at: Asker) =>
  paying(facts, at) ??
  (['approved', 'pay_failed'].includes(facts.transfer.transferStatus) && isByHand(facts)
    ? conflict('errors.paidByHand')
    : null)
const sent = (facts: TransferFacts, at: Asker) =>
  paying(facts, at) ??
  (['approved', 'pay_failed'].includes(facts.transfer.transferStatus) && !isByHand(facts)
    ? conflict('errors.channelSends')
    : null)

const query = (facts: TransferFacts) => {
  const { transferStatus } = facts.transfer
  if (transferStatus !== 'paying') return stateConflict(transferStatus, 'TRANSFER_STATUS')
  return isByHand(facts) ? conflict('errors.bankAnswersByFile') : null
}

const confirm = (facts: TransferFacts, at: Asker) => {
  if (facts.transfer.transferStatus !== 'paying') return null
  if (at.session && (facts.firstBy === at.session.userNo || isMaker(facts, at)))
    return new Fault('forbidden', 'errors.makerChecker')
  return tooEarly(at.tx.now, { sentTime: facts.sentTime, channel: isByHand(facts) ? 'bank_file' : facts.fromChannel })
}

/** Why transfers do not take what people would do with them. */
export const transferBlocks = blocks<TransferFacts>({
  read,
  states: ({ transfer }) => ({ transferApplication: transfer.transferStatus }),
  commands: [
    { command: calls.resubmit, refuses: (facts, at) => onlyMaker(facts, at, ['rejected']) },
    { command: calls.giveUp, refuses: giveUp },
    { command: calls.approve, refuses: approve },
    { command: calls.reject, refuses: reject },
    { command: calls.payout, refuses: payout },
    { command: calls.sent, refuses: sent },
    { command: calls.query, refuses: query },
    { command: calls.confirm, refuses: confirm },
    { command: calls.auditGiveUp, refuses: auditGiveUp },
  ],
})
