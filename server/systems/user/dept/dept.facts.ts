import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { done } from '../../../testing/acts.ts'
import { type Fixture, facts, type Row } from '../../../testing/facts.ts'

const { dept } = contract
const ours = 'departments are ours, whatever the merchant'
let made = 0

/** A department below the review floor. */
const saved = async (fixture: Fixture): Promise<string> => {
  const input = { deptName: `Floor of facts ${++made}`, parentNo: 'D1', deptNature: 'support', orgNo: 'O1', sort: 1 }
  return String((await done(fixture, dept.save, input)).deptNo)
}

export default facts({
  lists: [
    {
      list: dept.page,
      key: 'deptNo',
      of: 'company',
      fill: async fixture => {
        const top = await saved(fixture)
        await fixture.exec(sql`
          insert into dept (dept_no, dept_name, parent_dept_no, org_no, dept_nature, leader_no, sort, updated_by, updated_time)
          select 'DF' || n % 7 || n, 'Desk ' || n % 3 || ' ' || n, case when n % 3 > 0 then ${top} else 'D2' end, case when n % 4 > 0 then 'O1' else 'O2' end,
            (array['merchant', 'outsourced', 'support'])[1 + n % 3], case when n % 5 = 0 then ${fixture.boss.userNo} end, 1 + n % 4, ${fixture.boss.userNo},
            case when n % 6 > 0 then timestamptz '2026-03-01 08:00Z' + n % 5 * interval '1 hour' end
          from generate_series(1, 33) n`)
      },
      means: {
        parentNo: (row: Row, no: string) => row.parentNo === no,
        search: (row: Row, text: string) =>
          [row.deptName, row.deptNo].some(one => String(one).toLowerCase().includes(text.trim().toLowerCase())),
        orgNo: (row: Row, no: string) => row.orgNo === no || (no === 'O0' && ['O1', 'O2'].includes(String(row.orgNo))),
      },
    },
  ],
  records: [
    {
      fields: ['deptNo'],
      table: 'dept',
      key: 'dept_no',
    },
  ],
  calls: [dept.tree, dept.page, dept.detail, dept.moveEffect, dept.save, dept.move, dept.remove].map(call => ({
    call,
    about: ours,
  })),
})
