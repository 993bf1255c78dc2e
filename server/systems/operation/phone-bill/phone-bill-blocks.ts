import { sql } from 'kysely'
import { phoneBill as calls } from '../../../../core/contract/operation/phone-bill.ts'
import { type Asker, blocks } from '../../../approval/blocks.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'
import { tooEarly } from '../../charge/send/index.ts'
import type { PhoneBill } from './phone-bill-store.ts'
import { refusalFault } from './recipients.ts'

/** `involved`: who asked for it, gets it, agreed to it or sent it again. */
type Facts = {
  bill: PhoneBill
  present: boolean
  sentTime: string | null
  firstBy: string | null
  involved: readonly string[]
}

const read = async (tx: Tx, keys: readonly string[]): Promise<ReadonlyMap<string, Facts>> => {
  const mine = sql`p.phone_bill_no = any(${[...keys]})`
  const bills = await tx.rows(sql<PhoneBill>`select p.* from phone_recharge p where ${mine}`)
  const rest = await tx.rows(sql<Omit<Facts, 'bill'> & { phoneBillNo: string }>`
    select p.phone_bill_no, u.user_status = 'normal' and u.employee_status = 'on_job' as present, ga.sent_time,
      (select cf.first_by from loan_code_confirm cf where cf.parent_kind = 'phoneBill' and cf.parent_no = p.phone_bill_no and cf.confirm_status = 'first_confirmed') as first_by,
      array(select distinct t.actor from state_transition t where t.machine = 'M63' and t.object_no = p.phone_bill_no and t.event in ('phone.audit', 'phone.retry'))
        || array[p.maker_no, p.user_no] as involved
    from phone_recharge p join app_user u using (user_no)
      left join gateway_attempt ga on ga.parent_kind = 'phoneBill' and ga.parent_no = p.phone_bill_no and ga.attempt_no = p.attempt_no
    where ${mine}`)
  const restOf = new Map(rest.map(one => [one.phoneBillNo, one]))
  return new Map(
    bills.map(bill => {
      const { present = false, sentTime = null, firstBy = null, involved = [] } = restOf.get(bill.phoneBillNo) ?? {}
      return [bill.phoneBillNo, { bill, present, sentTime, firstBy, involved }]
    }),
  )
}

const makerChecker = () => new Fault('forbidden', 'errors.makerChecker')
/** Nobody decides about what they asked for. */
const own = ({ bill }: Facts, { session }: Asker) =>
  bill.phoneBillStatus === 'pending' && session?.userNo === bill.makerNo ? makerChecker() : null
/** Who left or is frozen gets nothing any more. */
const away = ({ bill, present }: Facts) =>
  !present && ['pending', 'failed'].includes(bill.phoneBillStatus) ? refusalFault('away') : null

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
    { command: calls.approve, refuses: (facts, at) => own(facts, at) ?? away(facts) },
    { command: calls.reject, refuses: own },
    { command: calls.retry, refuses: away },
    { command: calls.confirm, refuses: confirm },
  ],
})
