import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { system } from '../rights/actor.ts'
import { freezePerson, leavePerson, lockState } from '../session/person.ts'
import { transition } from '../states/transition.ts'

const by = system('test')

/** Somebody is frozen, as the clock would do it. */
export const frozen = async (tx: Tx, userNo: string): Promise<void> => {
  await freezePerson(tx, await lockState(tx, userNo), { reason: 'expired' }, by)
}

/** Somebody may sign in again. */
export const thawed = async (tx: Tx, userNo: string): Promise<void> => {
  await transition(tx, 'userAccount', await lockState(tx, userNo), { event: 'user.unfreeze' }, by)
}

/** Somebody has left. */
export const left = async (tx: Tx, userNo: string): Promise<void> => {
  await leavePerson(tx, await lockState(tx, userNo), tx.today, by)
}

/** Somebody came back, and may sign in. */
export const rejoined = async (tx: Tx, userNo: string): Promise<void> => {
  await transition(tx, 'employee', await lockState(tx, userNo), { event: 'employee.rejoin' }, by)
  await thawed(tx, userNo)
}

/** An auditor of exactly the merchants of their account. */
export const servesOwn = ({ userNo }: { userNo: string }): RawBuilder<unknown> => sql`
  update audit_person ap set principal_merchant_no = u.principal_merchant_no,
    associated_merchant_nos = array(select um.merchant_no from user_merchant um where um.user_no = u.user_no and um.merchant_no <> u.principal_merchant_no order by 1)
  from app_user u where u.user_no = ap.user_no and ap.user_no = ${userNo}`
