import { sql } from 'kysely'
import { transfer as calls } from '../../../../core/contract/charge/transfer.ts'
import { formatMoney, gt, isPositive, isWhole, lt, type Money, money, sub } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { attachEvidence } from '../../../files/uploads/stored.ts'
import { checkVersion, Fault, invalid } from '../../../http/fault.ts'
import { type Call, serve } from '../../../http/serve.ts'
import { account, lockedBalance } from '../../../money/ledger.ts'
import { newNo } from '../../../money/numbers.ts'
import { leaving } from '../../../money/spendable.ts'
import type { Actor } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'
import { fundAccount, type PayingAccount } from '../send/dispatch.ts'
import { capNow, caps, transferBlocks } from './transfer-blocks.ts'
import { promisedOf } from './transfer-source.ts'
import { accountScope, lockTransfer, reread, type Transfer } from './transfer-store.ts'

type Command = Parameters<typeof transferBlocks.check>[1]
type Asked = {
  fromAccountNo: string
  toAccountNo: string
  transferAmount: string
  transferPurpose: string
  confirmBelowMinimum?: boolean | undefined
}

/** What a command on a transfer answers. */
export const standingOf = ({ transferNo, transferStatus, approvalNeeded, version }: Transfer) => ({
  transferNo,
  transferStatus: transferStatus as 'pending',
  approvalNeeded,
  version,
})

/** A transfer within the data rule, locked, seen as it is, and in a state for what is asked. */
export const held = async (
  call: Call<{ transferNo: string; version?: number }>,
  command: Command,
): Promise<Transfer> => {
  const { tx, session, input } = call
  const found = await lockTransfer(tx, session, input.transferNo)
  if (input.version !== undefined) checkVersion(found, input.version)
  await transferBlocks.check(call, command, input.transferNo)
  return found
}

/** A line of the log about a transfer. */
export const noted = (call: Call<never> | Call, transferNo: string, before: object | null, after: object): void =>
  (call as Call).audit({ objectType: 'transfer', objectNo: transferNo, before: { ...before }, after: { ...after } })

const ownAccount = async ({ tx, session }: Pick<Call, 'tx' | 'session'>, no: string, field: string) => {
  const found = await fundAccount(tx, no)
  const reached = await tx.maybe(sql`select 1 where ${accountScope(session, sql`${no}::text`)}`)
  if (!found?.enabled || !reached) throw invalid(field, 'validation.accountUnfit')
  return found
}

/** What an account has that nothing is promised of; its balance is locked, so that two requests do not see the same. */
const availableOf = async (tx: Tx, no: string, but: string | null): Promise<{ balance: Money; available: Money }> => {
  const balance = await lockedBalance(tx, account.bank(no))
  const { promised } = await tx.one(
    sql<{ promised: Money }>`select ${promisedOf(sql`${no}::text`, but)} + ${leaving(sql`${no}::text`)} as promised`,
  )
  return { balance, available: sub(balance, promised) }
}

const checkAmount = (amount: Money, available: Money) => {
  if (!isPositive(amount)) throw invalid('transferAmount', 'errors.transferNothing')
  if (!isWhole(amount)) throw invalid('transferAmount', 'validation.wholeShillings')
  if (gt(amount, available))
    throw invalid('transferAmount', 'errors.transferTooMuch', { available: formatMoney(available) })
}

const checkMinimum = (amount: Money, available: Money, from: PayingAccount, confirmed: boolean | undefined) => {
  if (confirmed || !lt(sub(available, amount), from.minBalance)) return
  throw new Fault(
    'needsConfirmation',
    'errors.belowMinimum',
    { minimum: formatMoney(from.minBalance), rest: formatMoney(sub(available, amount)) },
    { confirm: ['confirmBelowMinimum'] },
  )
}

/** What a transfer is asked for with, checked; every rule is asked again when it comes back. */
const checked = async (call: Call<Asked>, but: string | null) => {
  const { tx, input } = call
  if (input.fromAccountNo === input.toAccountNo) throw invalid('toAccountNo', 'errors.sameAccount')
  const from = await ownAccount(call, input.fromAccountNo, 'fromAccountNo')
  const to = await ownAccount(call, input.toAccountNo, 'toAccountNo')
  const between = from.lenderName !== to.lenderName
  if (between !== (input.transferPurpose === 'between_lenders'))
    throw invalid('transferPurpose', between ? 'errors.betweenLenders' : 'errors.sameLender')
  const amount = money(input.transferAmount)
  const { balance, available } = await availableOf(tx, from.fundAccountNo, but)
  checkAmount(amount, available)
  checkMinimum(amount, available, from, input.confirmBelowMinimum)
  const now = await tx.one(
    sql<{ checkerCap: Money; dualCap: Money; toBalance: Money }>`
      select ${capNow(caps.checker)} as checker_cap, ${capNow(caps.dual)} as dual_cap,
        coalesce((select balance from ledger_balance where account_code = ${account.bank(to.fundAccountNo)}), 0)::numeric(18,2) as to_balance`,
  )
  return {
    fromAccountNo: from.fundAccountNo,
    toAccountNo: to.fundAccountNo,
    transferAmount: amount,
    transferPurpose: input.transferPurpose,
    approvalNeeded: between || gt(amount, now.dualCap) ? 2 : 1,
    checkerCap: now.checkerCap,
    dualCap: now.dualCap,
    fromBalanceThen: balance,
    toBalanceThen: now.toBalance,
  }
}

const keepFiles = async (tx: Tx, transferNo: string, attachNos: readonly string[] = [], actor: Actor) => {
  const files: string[] = []
  for (const uploadNo of new Set(attachNos)) {
    const about = { objectType: 'transfer', objectNo: transferNo, decision: 'transfer.submit' }
    files.push((await attachEvidence(tx, uploadNo, about, actor)).evidence)
  }
  return files
}

type Submitted = Asked & { attachNos: readonly string[]; remark?: string | undefined }

/** Asks for own money to move, with the files that say why. */
export const applyTransfer = async (call: Call<Submitted>): Promise<Transfer> => {
  const { tx, actor, input } = call
  const asked = await checked(call, null)
  const transferNo = newNo('TF', tx.now)
  const made = { applyTime: tx.now, submitTime: tx.now, makerNo: actor.no, makerName: actor.name }
  const values = { transferNo, ...asked, ...made, remark: input.remark || null }
  await create(tx, 'transferApplication', values, { event: 'transfer.submit' }, actor)
  const files = await keepFiles(tx, transferNo, input.attachNos, actor)
  noted(call as Call, transferNo, null, { ...asked, files })
  return reread(tx, transferNo)
}

/** The cashier asks for own money to move, with the paper that says why. */
const submit = serve(calls.submit, async call => standingOf(await applyTransfer(call)))

const resubmit = serve(calls.resubmit, async call => {
  const { tx, actor, input } = call
  const before = await held(call, calls.resubmit)
  const asked = await checked(call, before.transferNo)
  const set = {
    ...asked,
    remark: input.remark || null,
    submitTime: tx.now,
    round: before.round + 1,
    auditReason: null,
  }
  const moved = await transition(tx, 'transferApplication', before, { event: 'transfer.resubmit', set }, actor)
  const files = await keepFiles(tx, moved.transferNo, input.attachNos, actor)
  noted(call, moved.transferNo, { transferAmount: before.transferAmount }, { ...asked, files })
  return standingOf(moved)
})

const given = async (call: Call<{ transferNo: string; version: number; reason: string }>, command: Command) => {
  const { tx, actor, input } = call
  const before = await held(call, command)
  const made = { event: 'transfer.giveUp', set: { auditReason: input.reason }, payload: { reason: input.reason } }
  const moved = await transition(tx, 'transferApplication', before, made, actor)
  const was = { transferStatus: before.transferStatus }
  noted(call as Call, moved.transferNo, was, { transferStatus: 'given_up', reason: input.reason })
  return standingOf(moved)
}

const giveUp = serve(calls.giveUp, call => given(call, calls.giveUp))
const auditGiveUp = serve(calls.auditGiveUp, call => given(call, calls.auditGiveUp))

/** What those who ask for transfers do, and how transfers end without a payment. */
export const applyServed = [submit, resubmit, giveUp, auditGiveUp]
