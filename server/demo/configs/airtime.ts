import { sql } from 'kysely'
import { businessConfigs } from '../../../core/contract/common/business-config.ts'
import { contract } from '../../../core/contract/contract.ts'
import { addDays, startOfEatDay } from '../../../core/rules/time.ts'
import type { Tx } from '../../db/database.ts'
import { noPayout } from '../../money/no-gateway.ts'
import { system } from '../../rights/actor.ts'
import { rightsOfPerson, type Session } from '../../session/session.ts'
import { loanModule } from '../../systems/after-loan/payout/desk/loan.ts'
import { writeBusinessConfig } from '../../systems/common/business-config.ts'
import { phoneBillSender } from '../../systems/operation/phone-bill/index.ts'
import { phoneBillModule } from '../../systems/operation/phone-bill/phone-bill.ts'
import { at, type Hand, handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'

const { phoneBill } = contract
const minute = 60_000
const hour = 60 * minute
const actor = system('demo airtime')
let serials = 410_000

type End = 'success' | 'failed' | 'paying' | 'unknown'
type Desk = { tx: Tx; hand: Hand; maker: Session; checker: Session }
type Group = { userNos: string[]; purposeMonth: string; amount: `${number}.00`; remark?: string }

/** People of some posts who can get airtime. */
const peopleOf = async (tx: Tx, posts: readonly string[], most: number): Promise<string[]> => {
  const rows = await tx.rows(sql<{ userNo: string }>`
    select distinct u.user_no from app_user u join user_role ur using (user_no) join role r using (role_no)
    where r.post = any(${[...posts]}) and u.user_status = 'normal' and u.employee_status = 'on_job' and u.phone like '256%' order by u.user_no limit ${most}`)
  return rows.map(({ userNo }) => userNo)
}

const asked = async ({ hand, maker }: Desk, then: Tx, group: Group): Promise<string[]> => {
  const { phoneBillNos } = await hand.call(then, maker, phoneBill.submit, group)
  await then.flush()
  return phoneBillNos
}

/** The second person agrees, and the vendor says what became of it. */
const paid = async ({ hand, checker }: Desk, then: Tx, phoneBillNo: string, end: End) => {
  await hand.call(then, checker, phoneBill.approve, { phoneBillNos: [phoneBillNo] })
  await then.flush()
  const externalId = `${phoneBillNo}-1`
  await hand.network(then, 'payout.send', externalId, { externalId }, { kind: 'accepted' })
  await then.flush()
  if (end === 'paying') return
  const later = at(then, new Date(then.now.getTime() + minute))
  const held = await phoneBillSender.hold(later, externalId)
  const refused = {
    failType: 'payee_invalid',
    answerCode: 'INVALID_PHONE',
    answerMessage: 'The phone takes no airtime',
  }
  if (end === 'success') await held.apply({ kind: 'success', serialNo: `AT${++serials}` }, actor)
  else if (end === 'unknown') await held.apply({ kind: 'unknown', answerCode: 'TIMEOUT' }, actor)
  else await held.apply({ kind: 'failure', ...refused, failType: 'payee_invalid' }, actor)
  await later.flush()
}

const lastMonth = async (desk: Desk, userNos: string[]) => {
  const { tx } = desk
  const end = addDays(`${tx.today.slice(0, 7)}-01`, -6)
  const then = at(tx, new Date(Date.parse(startOfEatDay(end)) + 9 * hour))
  const bills = await asked(desk, then, { userNos, purposeMonth: end.slice(0, 7), amount: '10000.00' })
  const decided = at(tx, new Date(then.now.getTime() + 2 * hour))
  for (const no of bills) await paid(desk, decided, no, 'success')
}

/** What became of this month's applications, in their order; the others wait. */
const ends: readonly End[] = [
  ...Array.from({ length: 20 }, () => 'success' as const),
  'failed',
  'failed',
  'paying',
  'paying',
  'unknown',
]

const thisMonth = async (desk: Desk, userNos: string[], auditor: string | undefined) => {
  const { tx, hand, checker } = desk
  const purposeMonth = tx.today.slice(0, 7)
  const ago = (ms: number) => at(tx, new Date(tx.now.getTime() - ms))
  const bills = await asked(desk, ago(26 * hour), { userNos, purposeMonth, amount: '10000.00' })
  for (const [n, end] of ends.entries()) {
    const no = bills[n]
    if (no) await paid(desk, ago(end === 'paying' ? 2 * minute : end === 'unknown' ? 50 * minute : 22 * hour), no, end)
  }
  const rejected = bills[ends.length]
  const reason = 'He has moved to another team and has a company phone'
  if (rejected) await hand.call(ago(21 * hour), checker, phoneBill.reject, { phoneBillNos: [rejected], reason })
  if (auditor) await asked(desk, ago(3 * hour), { userNos: [auditor], purposeMonth, amount: '10000.00' })
  await tx.flush()
}

/** Airtime of last month, and of this one in all states; a cap that sank leaves one application over it. */
export const writeAirtime = async (tx: Tx): Promise<void> => {
  const hand = handFor([
    phoneBillModule(),
    loanModule({ payout: { mtn_momo: noPayout } }, undefined, [phoneBillSender]),
  ])
  const [maker, checker] = await Promise.all(
    ['collect.lead', 'finance2'].map(no => rightsOfPerson(tx, userNoOf(no), 'en')),
  )
  if (!maker || !checker) throw new Error('the demo has no collect.lead and finance2')
  const desk = { tx, hand, maker, checker }
  const people = await peopleOf(tx, ['collector', 'collectorNew', 'telemarketer', 'customerService'], 40)
  const [auditor] = await peopleOf(tx, ['auditor'], 1)
  await lastMonth(desk, people)
  await thisMonth(desk, people.slice(0, ends.length + 1 + 11), auditor)
  const value = { ...businessConfigs.PHONE_BILL_CAPS.plain, auditor: '8000.00' }
  await writeBusinessConfig(
    at(tx, new Date(tx.now.getTime() - 2 * hour)),
    'PHONE_BILL_CAPS',
    { value, version: 0 },
    actor,
  )
  await tx.flush()
}
