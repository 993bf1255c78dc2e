import { type RawBuilder, type Selectable, sql } from 'kysely'
import { phoneBill as calls } from '../../../../core/contract/operation/phone-bill.ts'
import { neg } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import type { DB } from '../../../db/types.gen.ts'
import { notFound } from '../../../http/fault.ts'
import { account, post } from '../../../money/ledger.ts'
import { peopleScope } from '../../../rights/people-scope.ts'
import type { Session } from '../../../session/session.ts'
import { type Payable, senderOf } from '../../charge/send/index.ts'

type Frag = RawBuilder<unknown>
export type PhoneBill = Selectable<DB['phoneRecharge']>

/** Airtime is of the people whom its reader sees: the data rule on person `u`. */
export const phoneBillSeen = (session: Session): Frag => peopleScope(session, calls.page.perm as string)

/** Airtime as it is now, locked. */
export const reread = (tx: Tx, phoneBillNo: string): Promise<PhoneBill> =>
  tx.one(sql<PhoneBill>`select * from phone_recharge where phone_bill_no = ${phoneBillNo} for update`)

/** Airtime for changing it; jobs have no session. */
export const lockPhoneBill = async (tx: Tx, session: Session | null, phoneBillNo: string): Promise<PhoneBill> => {
  const found = await tx.maybe(sql`
    select 1 from phone_recharge p join app_user u using (user_no)
    where p.phone_bill_no = ${phoneBillNo} and ${session ? phoneBillSeen(session) : sql`true`}`)
  if (!found) throw notFound()
  return reread(tx, phoneBillNo)
}

/** How journals name what they are posted for. */
export const causeOf = (phoneBillNo: string): string => `phone_recharge:${phoneBillNo}`

/** Airtime as something that money is sent for: from the account that pays it, by what is in flight, to the costs of the staff. */
export const payableOf = (tx: Tx, bill: PhoneBill): Payable<PhoneBill> => {
  const { phoneBillNo, amount, purposeMonth } = bill
  const inFlight = account.staffInFlight(phoneBillNo)
  return {
    kind: 'phoneBill',
    machine: 'phoneRecharge',
    no: phoneBillNo,
    row: bill,
    status: bill.phoneBillStatus,
    states: { running: 'paying', failed: 'failed', paid: 'success' },
    notesUnknown: false,
    async book(way, { fundAccountNo }, actor) {
      const bank = account.bank(fundAccountNo)
      const [code, debit, credit] = {
        sent: ['P14a', inFlight, bank] as const,
        arrived: ['P14b', account.staffExpense, inFlight] as const,
        failed: ['P14c', bank, inFlight] as const,
      }[way]
      const lines = [
        { account: debit, amount },
        { account: credit, amount: neg(amount) },
      ]
      await post(tx, { code, cause: causeOf(phoneBillNo), keys: {}, lines }, actor)
    },
    paidSet: { finishTime: tx.now },
    paid: async () => undefined,
    message: async () => `Airtime ${purposeMonth}, number ${phoneBillNo}`,
  }
}

/** Sends of airtime. */
export const phoneBillSender = senderOf('phoneBill', async (tx, no) => payableOf(tx, await lockPhoneBill(tx, null, no)))
