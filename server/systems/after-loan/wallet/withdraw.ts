import { sql } from 'kysely'
import { wallet as calls } from '../../../../core/contract/after-loan/wallet.ts'
import type { ParsedOf } from '../../../../core/contract/endpoint.ts'
import { add, formatMoney, gt, isPositive, isWhole, lt, type Money, money, sub } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid, notFound } from '../../../http/fault.ts'
import { type PublicCall, serveSigned } from '../../../http/serve.ts'
import type { Deps } from '../../../module.ts'
import { newNo } from '../../../money/numbers.ts'
import { create } from '../../../states/transition.ts'
import { needSending, type PayingAccount, payingAccount, sendOut } from '../../charge/send/index.ts'
import { merchantSecrets, merchantSigner } from '../../common/index.ts'
import { channelOf } from '../payout/payout-channel.ts'
import { changeWallet, lockedWallet, payableOf, reread, type Withdrawal } from './wallet-store.ts'

/** What a customer may take out in a day where nobody has set it. */
const dailyCap = ['wallet.withdrawDailyCap', '500000.00'] as const

type Merchant = { merchantNo: string; merchantName: string }
type Asked = ParsedOf<typeof calls.withdraw>
type Answer = { withdrawNo: string; withdrawStatus: 'paying'; walletBalance: Money }
/** Whose wallet it goes to, and over which channel. */
export type Payee = { walletAccount: string; channel: string }

/** The account of ours that pays a merchant's customers over a channel: the one that has most of those that send now, else any. */
export const payerOf = async (tx: Tx, { merchantNo, channel }: { merchantNo: string; channel: string }) => {
  const found = await tx.maybe(sql<{ fundAccountNo: string }>`
    select fa.fund_account_no from fund_account fa join fund_account_merchant fm using (fund_account_no)
      left join ledger_balance b on b.account_code = 'bank:' || fa.fund_account_no
    where fm.merchant_no = ${merchantNo} and fa.channel = ${channel} and fa.enabled = 'enabled' and fa.account_role in ('payout', 'both')
    order by fa.short_amount is null desc, coalesce(b.balance, 0) desc, fa.fund_account_no limit 1`)
  const from = found && (await payingAccount(tx, found.fundAccountNo))
  if (!from) throw new Fault('stateConflict', 'errors.walletNoAccount')
  return from
}

/** The wallet that a loan of the customer was paid to last: money of ours reached them there, so it goes nowhere else. */
const provenPayee = async (tx: Tx, merchantNo: string, customerNo: string): Promise<Payee> => {
  const found = await tx.maybe(sql<{ walletAccount: string; payoutSubtype: string }>`
    select lc.wallet_account, lc.payout_subtype from loan_code lc join loan_order o using (order_no)
    where o.customer_no = ${customerNo} and o.merchant_no = ${merchantNo} and lc.loan_code_status = 'success' and lc.wallet_account is not null
    order by lc.finish_time desc, lc.loan_code desc limit 1`)
  const channel = found && channelOf[found.payoutSubtype]
  if (!channel) throw new Fault('stateConflict', 'errors.walletNoPayee')
  return { walletAccount: found.walletAccount, channel }
}

const checkAmount = async (tx: Tx, { customerNo, withdrawAmount }: Asked, balance: Money): Promise<Money> => {
  const amount = money(withdrawAmount)
  if (!isPositive(amount)) throw invalid('withdrawAmount', 'errors.transferNothing')
  if (!isWhole(amount)) throw invalid('withdrawAmount', 'validation.wholeShillings')
  if (gt(amount, balance)) throw invalid('withdrawAmount', 'errors.walletTooMuch', { available: formatMoney(balance) })
  const { cap, taken } = await tx.one(sql<{ cap: Money; taken: Money }>`
    select coalesce((select (config_value #>> '{}')::numeric(18,2) from business_config where config_key = ${dailyCap[0]}), ${dailyCap[1]}::numeric(18,2)) as cap,
      coalesce((select sum(withdraw_amount) from wallet_withdrawal where customer_no = ${customerNo} and withdraw_status <> 'cancelled'
        and (created_time at time zone 'Africa/Kampala')::date = ${tx.today}), 0)::numeric(18,2) as taken`)
  if (gt(add(taken, amount), cap)) {
    const left = lt(taken, cap) ? sub(cap, taken) : '0.00'
    throw invalid('withdrawAmount', 'errors.walletDailyCap', { available: formatMoney(left) })
  }
  return amount
}

/** The answer given before under this number; another request under it is refused. */
const answeredBefore = async (tx: Tx, merchantNo: string, asked: Asked, balance: Money): Promise<Answer | null> => {
  const before = await tx.maybe(sql<Withdrawal>`
    select * from wallet_withdrawal where merchant_no = ${merchantNo} and request_no = ${asked.requestNo}`)
  if (!before) return null
  if (before.customerNo !== asked.customerNo || before.withdrawAmount !== money(asked.withdrawAmount))
    throw new Fault('keyReused', 'errors.withdrawReused')
  const { withdrawNo, withdrawStatus } = before
  return { withdrawNo, withdrawStatus: withdrawStatus as 'paying', walletBalance: balance }
}

type Out = { row: Pick<Withdrawal, 'withdrawNo' | 'customerNo' | 'merchantNo'>; amount: Money; payee: Payee }

/** Hands a withdrawal that is being paid to the network, out of an account of ours. */
export const sendWithdrawal = async (
  tx: Tx,
  from: PayingAccount,
  { row, amount, payee }: Out,
  actor: PublicCall['actor'],
) => {
  needSending(from)
  const payable = payableOf(tx, await reread(tx, row.withdrawNo))
  await sendOut(tx, payable, { from, amount, payee: payee.walletAccount }, actor)
}

/** A customer takes rewards out: the money leaves the wallet at once and the network is asked to pay it. */
export const takeOut = async (
  call: Pick<PublicCall<Asked>, 'tx' | 'input' | 'actor' | 'audit'>,
  { merchantNo, merchantName }: Merchant,
): Promise<Answer> => {
  const { tx, input, audit } = call
  const actor = { ...call.actor, no: `merchant:${merchantNo}`, name: merchantName }
  call.actor = actor
  const { customerNo, requestNo } = input
  const known = await tx.maybe(sql`
    select 1 from merchant_customer where customer_no = ${customerNo} and merchant_no = ${merchantNo}`)
  if (!known) throw notFound()
  const balance = await lockedWallet(tx, customerNo)
  const before = await answeredBefore(tx, merchantNo, input, balance)
  if (before) {
    audit({ objectType: 'withdrawal', objectNo: before.withdrawNo, after: { replayed: true } })
    return before
  }
  const amount = await checkAmount(tx, input, balance)
  const payee = await provenPayee(tx, merchantNo, customerNo)
  const from = await payerOf(tx, { merchantNo, channel: payee.channel })
  const withdrawNo = newNo('WD', tx.now)
  const row = { withdrawNo, customerNo, merchantNo, requestNo, withdrawAmount: amount, ...payee }
  const values = { ...row, fundAccountNo: from.fundAccountNo, attemptNo: 1, createdTime: tx.now }
  await create(tx, 'walletWithdrawal', values, { event: 'wallet.withdraw' }, actor)
  const change = { code: 'P12a', customerNo, merchantNo, reference: withdrawNo, amount } as const
  const walletBalance = await changeWallet(tx, balance, change, actor)
  await sendWithdrawal(tx, from, { row, amount, payee }, actor)
  audit({ objectType: 'withdrawal', objectNo: withdrawNo, after: { withdrawStatus: 'paying', withdrawAmount: amount } })
  return { withdrawNo, withdrawStatus: 'paying', walletBalance }
}

/** Where apps of merchants ask for a withdrawal, signed. */
export const withdrawServed = ({ secretKey }: Partial<Pick<Deps, 'secretKey'>>) => {
  const secrets = secretKey && merchantSecrets(secretKey)
  return serveSigned(calls.withdraw, { signer: (tx, request) => merchantSigner(tx, request, secrets), handle: takeOut })
}
