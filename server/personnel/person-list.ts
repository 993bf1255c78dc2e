import { sql } from 'kysely'
import type { Personnel } from '../../core/contract/common/personnel.ts'
import { type Blocks, blocks } from '../approval/blocks.ts'
import type { Tx } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import { type Listed, listed } from '../lists/listed.ts'
import { deptsIn } from '../rights/dept-scope.ts'
import { onShift } from './on-shift.ts'
import type { PersonHooks } from './person-hooks.ts'
import { personRule, standing } from './person-store.ts'

const like = (text: string) => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`

type Facts = { userNo: string; standing: string }

/** Nobody changes the record of somebody who is not at work: it is history. */
const refuses = ({ standing }: Facts) =>
  standing === 'at_work'
    ? null
    : new Fault('stateConflict', 'errors.personOff', { standing: `dict.PERSON_STANDING.${standing}` })

/** Why a record does not take a change. */
export const personBlocks = ({ table, calls }: Personnel): Blocks<Facts> =>
  blocks<Facts>({
    read: async (tx: Tx, keys) => {
      const rows = await tx.rows(sql<Facts>`
        select x.user_no, ${standing} as standing from ${sql.table(table)} x join app_user u using (user_no) where x.user_no = any(${[...keys]})`)
      return new Map(rows.map(row => [row.userNo, row]))
    },
    states: () => ({}),
    commands: [
      { command: calls.update, refuses },
      { command: calls.batchUpdate, refuses },
    ],
  })

/** The people of a post within the data rule of the reader. */
export const personList = (of: Personnel, hooks: PersonHooks, blocked: Blocks<Facts>): Listed =>
  listed({
    list: of.calls.page,
    source: ({ tx, session }) => {
      const own = hooks.source?.({ tx, session })
      return {
        from: sql`${sql.table(of.table)} x join app_user u using (user_no)`,
        joins: {
          ...own?.joins,
          d: sql`join dept d on d.dept_no = u.dept_no`,
          pm: sql`left join merchant pm on pm.merchant_no = x.principal_merchant_no`,
        },
        where: personRule(session, of),
        alias: 'x',
        key: sql`x.user_no`,
        columns: {
          realName: sql`u.real_name`,
          loginId: sql`u.login_id`,
          jobNo: sql`u.job_no`,
          deptName: sql`d.dept_name`,
          deptNo: sql`u.dept_no`,
          principalMerchantName: sql`pm.merchant_name`,
          associatedMerchantNames: sql`array(select m.merchant_name from merchant m where m.merchant_no = any(x.associated_merchant_nos) order by 1)`,
          staffType: sql`case when x.ai_employee then 'aiEmployee' else ${of.post} end`,
          ...(of.allots !== false && onShift(tx, hooks.shiftOverride)),
          openCount: hooks.openCount,
          standing,
          employeeStatus: sql`u.employee_status`,
          userStatus: sql`u.user_status`,
          ...own?.columns,
        },
        ...(own?.order && { order: own.order }),
        filters: {
          search: (text: string) =>
            sql`(lower(u.real_name) like ${like(text)} or lower(u.login_id) like ${like(text)} or lower(u.job_no) like ${like(text)})`,
          groupNo: (text: string) => sql`lower(x.group_no) = ${text.toLowerCase()}`,
          merchantNo: (nos: readonly string[]) =>
            nos.length
              ? sql`(x.principal_merchant_no = any(${[...nos]}) or x.associated_merchant_nos && ${[...nos]}::text[])`
              : null,
          deptNo: (deptNo: string) => sql`u.dept_no in ${deptsIn(deptNo)}`,
          ...own?.filters,
        } as never,
      }
    },
    blocked: (at, rows) =>
      blocked.of(
        at,
        rows.map(row => String(row.userNo)),
      ),
  })
