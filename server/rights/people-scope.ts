import { type RawBuilder, sql } from 'kysely'
import { oneOf } from '../lists/list.ts'
import type { Session } from '../session/session.ts'
import { orgsBelow } from './dept-scope.ts'
import { limitFor } from './scope.ts'

type Frag = RawBuilder<unknown>

/** The data rule of the caller over rows of people, as one condition on app_user `u`; `perm` is the code it is asked under. */
export const peopleScope = (session: Session, perm: string): Frag => {
  switch (limitFor(session, perm)) {
    case 'all':
      return sql`true`
    case 'org_below':
      return sql`u.dept_no in (select dept_no from dept where org_no in ${orgsBelow(session.deptNo)})`
    case 'own_merchants':
      return oneOf(sql`u.principal_merchant_no`, session.merchants)
    case 'dept_below':
      return oneOf(sql`u.dept_no`, session.deptsBelow)
    case 'dept':
      return sql`u.dept_no = ${session.deptNo}`
    case 'own':
      return sql`u.user_no = ${session.userNo}`
  }
}
