import { sql } from 'kysely'
import { formatMoney, mul, neg } from '../../../core/rules/money.ts'
import { addDays, startOfEatDay } from '../../../core/rules/time.ts'
import type { Tx } from '../../db/database.ts'
import { account, post, reverse } from '../../money/ledger.ts'
import { newNo } from '../../money/numbers.ts'
import { writeAudit } from '../../rights/audit-rows.ts'
import { create, transition } from '../../states/transition.ts'
import { walletBalance } from '../../systems/merchant/consumption/index.ts'
import { at } from '../hand.ts'
import { userNoOf } from '../staff.ts'

const count = 60

type Merchant = { no: string; legalName: string; fundAccountNo: string }
type Person = ReturnType<typeof person>
const person = (login: string, name: string) => ({ no: userNoOf(login), name, requestId: 'demo top-ups', ip: null })
const noted = (tx: Tx, action: string, actor: Person, objectNo: string) =>
  writeAudit(tx, { action, path: '', actor }, [{ objectType: 'merchantRecharge', objectNo }])

/** What a merchant paid in on one of the days. */
const rowOf = ({ no: merchantNo, legalName, fundAccountNo }: Merchant, n: number, when: Date, maker: Person) => ({
  rechargeNo: newNo('MR', when),
  merchantNo,
  rechargeAmount: mul('250000.00', String(1 + (n % 7))),
  fundAccountNo,
  serialNo: `88${String(4_100_000 + n * 317)}`,
  payerName: legalName,
  bankEntryTime: new Date(when.getTime() - 40 * 60_000),
  makerNo: maker.no,
  makerName: maker.name,
  createdTime: when,
  submitTime: when,
})
type Booked = ReturnType<typeof rowOf>

/** The second person lets it into the wallet, or not; one is taken back an hour later. */
const decide = async (now: Tx, row: Booked, n: number, checker: Person) => {
  const { rechargeNo, merchantNo, fundAccountNo, rechargeAmount: amount, createdTime: when } = row
  const held = { ...row, rechargeStatus: 'pending', version: 0 }
  const auditTime = new Date(when.getTime() + 25 * 60_000)
  const decided = { checkerNo: checker.no, checkerName: checker.name, auditTime }
  if (n % 13 === 5) {
    const set = { ...decided, auditReason: 'The receipt is of another company' }
    await transition(now, 'merchantRecharge', held, { event: 'recharge.audit', as: 'reject', set }, checker)
    return noted(now, 'recharge.reject', checker, rechargeNo)
  }
  const lines = [
    { account: account.bank(fundAccountNo), amount },
    { account: account.merchant(merchantNo), amount: neg(amount) },
  ]
  const cause = `merchant_recharge:${rechargeNo}`
  const journalNo = await post(now, { code: 'P13', cause, keys: { merchantNo }, lines }, checker)
  const balanceAfter = await walletBalance(now, merchantNo)
  const auditReason = n % 9 === 2 ? `Seen in the bank portal: UGX ${formatMoney(amount)}` : null
  const set = { ...decided, journalNo, balanceAfter, auditReason }
  const moved = await transition(
    now,
    'merchantRecharge',
    held,
    { event: 'recharge.audit', as: 'approve', set },
    checker,
  )
  noted(now, 'recharge.approve', checker, rechargeNo)
  if (n !== 17) return
  const taken = { reverseReason: 'Paid in for another company', reverseTime: new Date(when.getTime() + 3_600_000) }
  await transition(now, 'merchantRecharge', moved, { event: 'recharge.reverse', set: taken }, checker)
  noted(now, 'recharge.reverse', checker, rechargeNo)
  await reverse(now, Number(journalNo), cause, checker)
}

/** Top-ups of two months: most confirmed, some rejected or waiting, one taken back. */
export const writeRecharges = async (tx: Tx): Promise<void> => {
  const merchants = await tx.rows(sql<Merchant>`
    select m.merchant_no as no, coalesce(m.legal_name, m.merchant_name) as legal_name, min(fm.fund_account_no) as fund_account_no
    from merchant m join fund_account_merchant fm on fm.merchant_no = m.merchant_no join fund_account f on f.fund_account_no = fm.fund_account_no and f.enabled = 'enabled' and f.channel = 'bank_file'
      and f.account_role = 'collection'
    where m.enabled = 'enabled' group by 1, 2 order by 1`)
  if (merchants.length === 0) return
  const [maker, checker] = [person('admin', 'Grace Nakato'), person('admin2', 'Second')]
  for (let n = 0; n < count; n++) {
    const when = new Date(Date.parse(startOfEatDay(addDays(tx.today, n - count))) + (9 * 60 + n) * 60_000)
    const now = at(tx, when)
    const row = rowOf(merchants[n % merchants.length] as Merchant, n, when, maker)
    await create(now, 'merchantRecharge', row, { event: 'recharge.submit' }, maker)
    noted(now, 'recharge.submit', maker, row.rechargeNo)
    await tx.flush()
    if (n < count - 4) await decide(now, row, n, checker)
  }
  await tx.flush()
}
