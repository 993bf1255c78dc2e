import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { maxPayments } from '../../../../core/contract/after-loan/bank-batch.ts'
import { lt, type Money, sub } from '../../../../core/rules/money.ts'
import type { EatDate } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { type BankPayment, writePain001 } from '../../../gateways/bank/pain-001.ts'
import { invalid } from '../../../http/fault.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { account } from '../../../money/ledger.ts'
import { newNo } from '../../../money/numbers.ts'
import { spendable } from '../../../money/spendable.ts'
import type { Actor } from '../../../rights/actor.ts'
import type { Session } from '../../../session/session.ts'
import { lockLimitsOf, roomFor, takeLimits } from '../../operation/loan-limit/index.ts'
import type { Order } from '../../order/order/index.ts'
import { type HeldCode, type LoanCode, loanScope } from '../payout/desk/loan-source.ts'
import { candidates, reserve } from '../payout/payout.ts'
import { payerMessage } from '../payout/payout-send.ts'

type Frag = RawBuilder<unknown>

/** How files reach the bank: laid into its folder by us, or fetched and handed over by a person. */
export type SendWay = 'folder' | 'hand'

export type BankAccount = {
  fundAccountNo: string
  accountName: string
  lenderName: string
  accountNumber: string
  bankName: string | null
  branch: string | null
}

/** What would leave an account with one file. */
export type Choice = { codes: readonly { loanCode: string; amount: Money }[]; amount: Money; balance: Money }

/** Enabled accounts at banks that pay out, for some merchant within the reach of the caller: `served` speaks of `fm`. */
export const bankAccounts = (tx: Tx, served: Frag, fundAccountNo?: string): Promise<BankAccount[]> =>
  tx.rows(sql<BankAccount>`
    select fa.fund_account_no, fa.account_name, fa.lender_name, fa.account_number, fa.bank_name, fa.branch from fund_account fa
    where fa.channel = 'bank_file' and fa.enabled = 'enabled' and fa.account_role in ('payout', 'both') and fa.fund_account_no = coalesce(${fundAccountNo ?? null}, fa.fund_account_no)
      and exists (select 1 from fund_account_merchant fm where fm.fund_account_no = fa.fund_account_no and ${served})
    order by fa.fund_account_no`)

/** One of them. @throws {Fault} 40001 for any other account */
export const bankAccount = async (tx: Tx, fundAccountNo: string, served: Frag): Promise<BankAccount> => {
  const [found] = await bankAccounts(tx, served, fundAccountNo)
  if (!found) throw invalid('fundAccountNo', 'validation.accountUnfit')
  return found
}

const fitting = async (tx: Tx, fundAccountNo: string, within: Frag, balance: Money): Promise<Choice> => {
  const found = await candidates(
    tx,
    { served: ['bank_file'], inFile: true },
    sql`fa.fund_account_no = ${fundAccountNo} and o.order_status = 'pending_disbursement' and ${within}`,
  )
  const ready = found.filter(({ reason }) => reason === null)
  const fits = await roomFor(
    tx,
    ready.map(one => one.loanCode),
  )
  const codes: { loanCode: string; amount: Money }[] = []
  let left = balance
  let cap = found[0]?.capLeft ?? null
  for (const { loanCode, amount } of ready) {
    const isFull = lt(left, amount) || (cap !== null && lt(cap, amount)) || codes.length >= maxPayments
    if (isFull || !fits(loanCode)) continue
    codes.push({ loanCode, amount })
    left = sub(left, amount)
    cap = cap === null ? null : sub(cap, amount)
  }
  return { codes, amount: sub(balance, left), balance }
}

export type LockedChoice = Choice & { held: readonly HeldCode[] }

/** The oldest created codes of an account that its balance covers, within the reach of a person; a job has all. Locks nothing. */
export const choose = async (tx: Tx, session: Session | null, fundAccountNo: string): Promise<Choice> => {
  const { balance } = await tx.one(sql<{ balance: Money }>`
    select coalesce((select balance from ledger_balance where account_code = ${account.bank(fundAccountNo)}), 0)::numeric(18,2) as balance`)
  return fitting(tx, fundAccountNo, session ? loanScope(session) : sql`true`, balance)
}

/** Locks codes with their orders, each kind by its number; answers them by the number of the code. */
const lockAll = async (tx: Tx, loanCodes: readonly string[]): Promise<ReadonlyMap<string, HeldCode>> => {
  const orders = await tx.rows(sql<Order>`
    select o.* from loan_order o where o.order_no in (select order_no from loan_code where loan_code = any(${loanCodes as string[]}))
    order by o.order_no for update`)
  const codes = await tx.rows(
    sql<LoanCode>`select * from loan_code where loan_code = any(${loanCodes as string[]}) order by loan_code for update`,
  )
  const byNo = new Map(orders.map(order => [order.orderNo, order]))
  return new Map(
    codes.flatMap(code => {
      const order = byNo.get(code.orderNo)
      return order ? [[code.loanCode, { order, code }]] : []
    }),
  )
}

/** The choice made once more with its codes, orders and the account locked: what somebody else took meanwhile is no longer in it. */
export const lockChoice = async (tx: Tx, fundAccountNo: string, seen: Choice): Promise<LockedChoice> => {
  const loanCodes = seen.codes.map(({ loanCode }) => loanCode)
  const all = await lockAll(tx, loanCodes)
  const orderNos = [...all.values()].map(({ order }) => order.orderNo)
  await lockLimitsOf(tx, orderNos)
  const balance = await spendable(tx, fundAccountNo)
  const choice = await fitting(tx, fundAccountNo, sql`lc.loan_code = any(${loanCodes})`, balance)
  return { ...choice, held: choice.codes.flatMap(({ loanCode }) => all.get(loanCode) ?? []) }
}

/** Reserves the money of one code for the file, and answers what the file says of it. */
const paymentOf = async (
  tx: Tx,
  held: HeldCode,
  way: { fundAccountNo: string; batchNo: string },
  actor: Actor,
): Promise<BankPayment> => {
  const { code } = held
  const taken = await takeLimits(tx, held.order, code.actualLoanAmount)
  if (!taken) throw new Error(`${code.loanCode} was chosen beyond a limit of its merchant`)
  const { externalId, order, rule } = await reserve(tx, held, { ...way, channel: 'bank_file', taken }, actor)
  return {
    externalId,
    amount: code.actualLoanAmount,
    holder: code.cardholderName,
    accountNumber: code.bankCardNo ?? '',
    bankName: code.bankName,
    branch: code.branch,
    message: await payerMessage(tx, order, rule),
  }
}

/**
 * Makes the payout file of a locked choice: reserves the money of each code (M20 `payout.dispatch`), keeps what the file
 * says, and has it laid into the folder of the bank where there is one.
 */
export const makeBatch = async (
  tx: Tx,
  { fundAccountNo, lenderName, accountNumber, bankName, branch }: BankAccount,
  { held, amount }: LockedChoice,
  o: { executionDate: EatDate; sendWay: SendWay },
  actor: Actor,
): Promise<string> => {
  const batchNo = newNo('BB', tx.now)
  const payments: BankPayment[] = []
  for (const one of held) payments.push(await paymentOf(tx, one, { fundAccountNo, batchNo }, actor))
  const debtor = { name: lenderName, accountNumber, bankName, branch }
  const text = writePain001({ batchNo, created: tx.now, executionDate: o.executionDate, debtor, payments })
  await tx.exec(sql`
    insert into bank_batch (batch_no, fund_account_no, execution_date, payment_count, amount, file_text, file_sha256, send_way, created_by, created_by_name, created_time)
    values (${batchNo}, ${fundAccountNo}, ${o.executionDate}, ${payments.length}, ${amount}, ${text}, ${createHash('sha256').update(text).digest('hex')},
      ${o.sendWay}, ${actor.no}, ${actor.name}, ${tx.now})`)
  if (o.sendWay === 'folder') await enqueue(tx, 'bank.send', batchNo, { batchNo })
  return batchNo
}
