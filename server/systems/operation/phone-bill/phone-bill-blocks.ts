import { sql } from 'kysely'
import { phoneBill as calls } from '../../../../core/contract/operation/phone-bill.ts'
import { type Asker, blocks } from '../../../approval/blocks.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'
import { tooEarly } from '../../charge/send/index.ts'
import { payerFault } from './paying.ts'
import type { PhoneBill } from './phone-bill-store.ts'
import { type Refusal, recipients, refusalFault, refusalOf } from './recipients.ts'

/** `involved`: who asked for it, gets it, agreed to it or sent it again. */
type Facts = {
  bill: PhoneBill
  /** Why the month of the person takes no more, and why no account pays, where it is still to be paid. */
  refusal: Refusal | null
  account: Fault | null
  sentTime: string | null
  firstBy: string | null
  involved: readonly string[]
}

const isToPay = ({ phoneBillStatus }: PhoneBill) => phoneBillStatus === 'pending' || phoneBillStatus === 'failed'

/** Why people's months take no more: caps may have sunk, and months filled up, since it was asked for. What waits counts itself already. */
const refusals = async (tx: Tx, bills: readonly PhoneBill[]): Promise<ReadonlyMap<string, Refusal | null>> => {
  const found = new Map<string, Refusal | null>()
  for (const month of new Set(bills.map(one => one.purposeMonth))) {
    const mine = bills.filter(one => one.purposeMonth === month)
    const people = await recipients(tx, month, sql`u.user_no = any(${mine.map(one => one.userNo)})`)
    for (const { phoneBillNo, userNo, amount, phone, phoneBillStatus } of mine) {
      const person = people.find(one => one.userNo === userNo)
      const more = phoneBillStatus === 'pending' ? '0.00' : amount
      found.set(phoneBillNo, person ? refusalOf(person, { amount: more, phone, again: true }) : 'away')
    }
  }
  return found
}

const read = async (tx: Tx, keys: readonly string[]): Promise<ReadonlyMap<string, Facts>> => {
  const mine = sql`p.phone_bill_no = any(${[...keys]})`
  const bills = await tx.rows(sql<PhoneBill>`select p.* from phone_recharge p where ${mine}`)
  const rest = await tx.rows(sql<Omit<Facts, 'bill' | 'refusal' | 'account'> & { phoneBillNo: string }>`
    select p.phone_bill_no, ga.sent_time,
      (select cf.first_by from loan_code_confirm cf where cf.parent_kind = 'phoneBill' and cf.parent_no = p.phone_bill_no and cf.confirm_status = 'first_confirmed') as first_by,
      array(select distinct t.actor from state_transition t where t.machine = 'M63' and t.object_no = p.phone_bill_no and t.event in ('phone.audit', 'phone.retry'))
        || array[p.maker_no, p.user_no] as involved
    from phone_recharge p
      left join gateway_attempt ga on ga.parent_kind = 'phoneBill' and ga.parent_no = p.phone_bill_no and ga.attempt_no = p.attempt_no
    where ${mine}`)
  const toPay = bills.filter(isToPay)
  const refused = await refusals(tx, toPay)
  const account = toPay.length > 0 ? await payerFault(tx) : null
  const restOf = new Map(rest.map(one => [one.phoneBillNo, one]))
  return new Map(
    bills.map(bill => {
      const { sentTime = null, firstBy = null, involved = [] } = restOf.get(bill.phoneBillNo) ?? {}
      const refusal = refused.get(bill.phoneBillNo) ?? null
      return [bill.phoneBillNo, { bill, refusal, account, sentTime, firstBy, involved }]
    }),
  )
}

const makerChecker = () => new Fault('forbidden', 'errors.makerChecker')
/** Nobody decides about what they asked for. */
const own = ({ bill }: Facts, { session }: Asker) =>
  bill.phoneBillStatus === 'pending' && session?.userNo === bill.makerNo ? makerChecker() : null
/** Who left or is frozen gets nothing any more, nor does anybody beyond the cap of the month; and something has to pay it. */
const unpaid = ({ bill, refusal, account }: Facts) =>
  isToPay(bill) ? (refusal ? refusalFault(refusal) : account) : null

const confirm = ({ bill, sentTime, firstBy, involved }: Facts, { tx, session }: Asker) => {
  if (bill.phoneBillStatus !== 'paying') return null
  if (session && [firstBy, ...involved].includes(session.userNo)) return makerChecker()
  return tooEarly(tx.now, { sentTime, channel: 'airtime' })
}

/** Why airtime does not take what people would do with it. */
export const phoneBillBlocks = blocks<Facts>({
  read,
  states: ({ bill }) => ({ phoneRecharge: bill.phoneBillStatus }),
  commands: [
    { command: calls.approve, refuses: (facts, at) => own(facts, at) ?? unpaid(facts) },
    { command: calls.reject, refuses: own },
    { command: calls.retry, refuses: unpaid },
    { command: calls.confirm, refuses: confirm },
  ],
})
