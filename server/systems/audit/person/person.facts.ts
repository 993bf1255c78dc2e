import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { copied, prefixed } from '../../../testing/copies.ts'
import { facts } from '../../../testing/facts.ts'

const { auditPerson } = contract
const about = 'is about a person within the data rule, not about a merchant'

export default facts({
  lists: [
    {
      list: auditPerson.page,
      key: 'userNo',
      of: 'company',
      fill: async fixture => {
        const { userNo } = await fixture.reviewer({ perms: [] })
        await copied(
          fixture,
          'app_user',
          `user_no = '${userNo}'`,
          `jsonb_build_object(${prefixed('user_no', 'login_id')}, 'real_name', 'Grace ' || n % 3, 'job_no', 'NA' || (2000 + n), 'phone', '25678' || (1000000 + n))`,
        )
        await fixture.exec(sql`
          insert into audit_person (user_no, group_no, auto_allocation, accept_first, shift_override, principal_merchant_no, updated_time)
          select u.user_no, 'G' || row_number() over () % 4, false, row_number() over () % 2 = 0, (array['on', 'off', 'scheduled'])[1 + row_number() over () % 3],
            'M1', u.created_time + row_number() over () % 5 * interval '1 hour'
          from app_user u where u.job_no like 'NA2%' on conflict do nothing`)
      },
      means: {
        search: (row, text: string) =>
          `${row.realName} ${row.loginId} ${row.jobNo}`.toLowerCase().includes(text.trim().toLowerCase()),
        merchantNo: (row, wanted: string[]) =>
          wanted.length === 0 ||
          [row.principalMerchantNo, ...(row.associatedMerchantNos as string[])].some(no => wanted.includes(String(no))),
        groupNo: (row, text: string) => String(row.groupNo).toLowerCase() === text.toLowerCase(),
      },
      holds: { key: 'userNo', query: sql`select u.user_no, u.dept_no from app_user u` },
    },
  ],
  calls: Object.values(auditPerson).map(call => ({ call: call as Endpoint, about })),
})
