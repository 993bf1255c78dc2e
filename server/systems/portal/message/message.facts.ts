import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { facts } from '../../../testing/facts.ts'

const { message } = contract

export default facts({
  lists: [
    {
      list: message.page,
      key: 'staffMessageNo',
      of: 'person',
      fill: async fixture => {
        await fixture.exec(sql`
          insert into staff_message (staff_message_no, user_no, message_type, template, params, object_type, object_no, created_time)
          select 'SM' || n % 7 || n, ${fixture.boss.userNo}, 'result', 'approvalApproved', '{}', 'approval', 'A' || n, timestamptz '2026-03-01 08:00Z' + n % 5 * interval '1 hour' from generate_series(1, 33) n`)
      },
      means: { unread: (row, unread: boolean) => (row.readTime === null) === unread },
    },
  ],
})
