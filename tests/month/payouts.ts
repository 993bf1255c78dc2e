import { sql } from 'kysely'
import { bankBatch } from '../../core/contract/after-loan/bank-batch.ts'
import { loan } from '../../core/contract/after-loan/loan.ts'
import { recon } from '../../core/contract/after-loan/reconciliation.ts'
import { refund } from '../../core/contract/charge/refund.ts'
import { transfer } from '../../core/contract/charge/transfer.ts'
import { contract } from '../../core/contract/contract.ts'
import type { Money } from '../../core/rules/money.ts'
import { eatDate } from '../../core/rules/time.ts'
import type { Random } from '../../server/demo/random.ts'
import type { Desk } from './people.ts'
import { accounts, type World, wallets } from './world.ts'

/** Payout files of everything that waits for one; now and then the bank refuses a whole file. */
export const sendFiles = async (world: World, desk: Desk, random: Random): Promise<void> => {
  for (let files = 0; files < 40; files++) {
    const offered = await desk.act(bankBatch.accounts, {})
    const one = offered?.list.find(({ fundAccountNo }) => fundAccountNo === accounts.bank_file)
    if (!one || one.paymentCount === 0) return
    if (random.chance(0.06)) {
      const variant = random.pick(['schema', 'duplicate', 'duplicateLost'] as const)
      await world.bank.scenario({ match: 'next', case: 'G26', variant })
    }
    const { fundAccountNo, paymentCount, amount } = one
    const executionDate = eatDate(world.kit.clock.now())
    if (!(await desk.act(bankBatch.create, { fundAccountNo, executionDate, paymentCount, amount }))) return
    await world.calm()
  }
}

/** A channel that stopped by itself is looked at, and sends again once it answers. */
export const resumeChannels = async (desk: Desk): Promise<void> => {
  const paused = await desk.rows(
    sql<{ channel: 'mtn_momo'; version: number }>`select channel, version from channel where pause_status = 'paused'`,
  )
  for (const { channel, version } of paused)
    await desk.act(contract.loanRoute.resume, { channel, version, remark: 'Looked at the answers' })
}

/** Definite failures are sent again while that is allowed; after that the order is given up. */
export const retryFailed = async (desk: Desk): Promise<void> => {
  const failed = await desk.rows(sql<{ loanCode: string; again: boolean }>`
    select lc.loan_code, lc.attempt_no < 4 as again from loan_code lc join loan_order o using (order_no)
    where lc.loan_code_status = 'failed' and o.order_status = 'loan_failed' order by lc.loan_code`)
  for (const again of [true, false]) {
    const loanCodes = failed.filter(one => one.again === again).map(one => one.loanCode)
    for (let first = 0; first < loanCodes.length; first += 100) {
      const some = loanCodes.slice(first, first + 100)
      if (again) await desk.act(loan.retry, { loanCodes: some, accountChecked: true })
      else await desk.act(loan.cancel, { loanCodes: some, reason: 'customer_withdrew' })
    }
  }
}

type Unknown = {
  externalId: string
  parentKind: 'loanCode' | 'refund' | 'transfer'
  parentNo: string
  gatewayRef: string
  sentOn: string
}

/** What a statement of the other side shows of our sends: by our number, the number that it gave. */
const shownBy = async (world: World) => {
  const shown = new Map<string, string>()
  for (const channel of wallets)
    for (const one of (await world.networks[channel].truth()).movements)
      if (one.kind === 'payout' && (one as { onStatement?: boolean }).onStatement)
        for (const name of [one.ref, one.externalId]) shown.set(name, one.serialNo)
  for (const one of (await world.bank.truth()).movements)
    if (one.kind === 'payout') shown.set(one.externalId, one.serialNo)
  return shown
}

/** Who confirms, and where, by what was sent for; a person who asked for money to go out does not confirm that it went. */
const confirms = {
  loanCode: { call: loan.confirm, table: 'loan_code', key: 'loan_code', field: 'loanCode', by: ['maker', 'checker'] },
  refund: {
    call: refund.confirm,
    table: 'client_refund',
    key: 'refund_no',
    field: 'refundNo',
    by: ['checker', 'third'],
  },
  transfer: {
    call: transfer.confirm,
    table: 'transfer_apply',
    key: 'transfer_no',
    field: 'transferNo',
    by: ['checker', 'third'],
  },
} as const

/** Sends that nobody tells the outcome of: two people read the statements of the days since, and both say what these show. */
export const confirmUnknown = async (world: World, desk: Desk): Promise<number> => {
  const open = await desk.rows(sql<Unknown>`
    select ga.external_id, ga.parent_kind, ga.parent_no, ga.gateway_ref, (ga.sent_time at time zone 'Africa/Kampala')::date::text as sent_on
    from gateway_attempt ga left join loan_code lc on lc.loan_code = ga.parent_no
    where ga.attempt_status in ('sent', 'unknown') and (ga.parent_kind <> 'loanCode' or lc.attempt_no = ga.attempt_no)
      and ga.sent_time < ${world.kit.clock.now()}::timestamptz - case ga.parent_kind when 'transfer' then interval '20 hours' else interval '50 hours' end
    order by ga.external_id`)
  if (open.length === 0) return 0
  const shown = await shownBy(world)
  for (const { externalId, parentKind, parentNo, gatewayRef, sentOn } of open) {
    const { call, table, key, field, by } = confirms[parentKind]
    const serialNo = shown.get(gatewayRef) ?? shown.get(externalId)
    for (const as of by) {
      const input = {
        [field]: parentNo,
        version: await desk.versionOf(table, key, parentNo),
        result: serialNo ? 'success' : 'failure',
        statementDate: sentOn,
        evidence: await desk.evidence(as),
        ...(serialNo ? { serialNo } : {}),
      }
      if (!(await desk.act(call, input as never, as))) break
    }
  }
  return open.length
}

/** Codes that were held because an earlier payment of their order turned up go once that is settled; a second person agrees. */
export const unblockCodes = async (desk: Desk): Promise<void> => {
  const held = await desk.rows(sql<{ loanCode: string; version: number }>`
    select lc.loan_code, lc.version from loan_code lc where lc.loan_code_status = 'created' and lc.wait_reason = 'blocked'
      and not exists (
        select 1 from recon_item i join loan_code c on i.object_no = c.loan_code
        where c.order_no = lc.order_no and i.recon_kind = 'paid_not_expected' and i.recon_status = 'open')`)
  for (const { loanCode, version } of held)
    await desk.agreed(await desk.act(recon.unblock, { loanCode, version, reason: 'The first payment is settled' }))
}

/** What payouts have come to, by the state of their codes. */
export const payoutStates = async (desk: Desk): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await desk.rows(
        sql<{ name: string; count: number; amount: Money }>`
          select loan_code_status as name, count(*)::int as count from loan_code group by 1 order by 1`,
      )
    ).map(({ name, count }) => [name, count]),
  )
