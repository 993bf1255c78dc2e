import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { blocks } from '../../../approval/blocks.ts'
import { Fault } from '../../../http/fault.ts'

const { dept } = contract

type Facts = { deptNo: string; subs: number; people: number }

/** Why a department is not deleted: what it holds is moved first, those who are frozen or have left as well. */
export const deptBlocks = blocks<Facts>({
  read: async (tx, keys) =>
    new Map(
      (
        await tx.rows(sql<Facts>`
          select d.dept_no, (select count(*)::int from dept c where c.parent_dept_no = d.dept_no) as subs,
            (select count(*)::int from app_user u where u.dept_no = d.dept_no) as people
          from dept d where d.dept_no = any(${[...keys]})`)
      ).map(row => [row.deptNo, row]),
    ),
  states: () => ({}),
  commands: [
    {
      command: dept.remove,
      refuses: ({ subs, people }) =>
        subs + people > 0 ? new Fault('stateConflict', 'errors.deptHolds', { u: people, s: subs }) : null,
    },
  ],
})
