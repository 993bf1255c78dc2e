import { sql } from 'kysely'
import { add, lt, sub } from '../../../core/rules/money.ts'
import { addDays, startOfEatDay } from '../../../core/rules/time.ts'
import type { Tx } from '../../db/database.ts'
import { writeAudit } from '../../rights/audit-rows.ts'
import { transition } from '../../states/transition.ts'
import { booksAt, noteBalance } from '../../systems/after-loan/balance/index.ts'
import { explainDifference } from '../../systems/after-loan/reconciliation/index.ts'
import { at } from '../hand.ts'
import { userNoOf } from '../staff.ts'

const days = 30
const person = (login: string, name: string) => ({ no: userNoOf(login), name, requestId: 'demo balances', ip: null })
const cashier = person('finance1', 'Paul Ssemakula')
const checker = person('finance2', 'Irene Atuhaire')

type Person = ReturnType<typeof person>
const noted = (tx: Tx, action: string, actor: Person, objectNo: string) =>
  writeAudit(tx, { action, path: '', actor }, [{ objectType: 'balanceEntry', objectNo }])

type Own = { fundAccountNo: string; channel: string }

/** Two digits were swapped one morning: a second person agreed to the right balance an hour later. */
const correctOne = async (tx: Tx, account: Own, entryDate: Date) => {
  const books = await booksAt(tx, account.fundAccountNo, entryDate)
  const right = add(books.ledgerThen, books.inFlightThen)
  const said = { account, entryDate, balanceSource: 'typed' } as const
  const wrong = await noteBalance(tx, { ...said, lastBalance: add(right, '90000.00') }, cashier)
  noted(tx, 'balance.enter', cashier, wrong.balanceEntryNo)
  await tx.flush()
  const row = await tx.one(sql<{ balanceEntryNo: string; balanceEntryStatus: string; version: number }>`
    select * from balance_entry where balance_entry_no = ${wrong.balanceEntryNo}`)
  const reason = 'Two digits were swapped'
  await transition(tx, 'balanceEntry', row, { event: 'balance.correct', payload: { reason } }, checker)
  await tx.flush()
  await explainDifference(tx, { reference: row.balanceEntryNo, remark: reason }, checker)
  const correction = { correctsNo: row.balanceEntryNo, correctReason: reason }
  await noteBalance(tx, { ...said, lastBalance: right, ...correction }, checker)
  noted(tx, 'balance.correct', checker, row.balanceEntryNo)
}

/** What the cashier read each morning of a month: one account differs by 1,200, one was forgotten today, one line was corrected. */
export const writeBalances = async (tx: Tx): Promise<void> => {
  const accounts = await tx.rows(sql<Own>`
    select fund_account_no, channel from fund_account where enabled = 'enabled' and deleted_time is null order by fund_account_no`)
  const late = accounts.findLast(one => one.channel === 'airtel_money')
  for (let back = days - 1; back >= 0; back--)
    for (const [place, account] of accounts.entries()) {
      const entryDate = new Date(Date.parse(startOfEatDay(addDays(tx.today, -back))) + (8 * 60 + 5 + place) * 60_000)
      if (entryDate > tx.now || (back === 0 && account === late)) continue
      const now = at(tx, entryDate)
      if (back === 3 && place === 0) {
        await correctOne(now, account, entryDate)
        continue
      }
      const { ledgerThen, inFlightThen } = await booksAt(now, account.fundAccountNo, entryDate)
      const held = add(ledgerThen, inFlightThen)
      const lastBalance = account === late && back === 1 ? sub(held, '1200.00') : held
      if (lt(lastBalance, '0.00')) continue
      const said = { account, lastBalance, entryDate, balanceSource: 'typed' } as const
      const { balanceEntryNo } = await noteBalance(now, said, cashier)
      noted(now, 'balance.enter', cashier, balanceEntryNo)
    }
  await tx.flush()
}
