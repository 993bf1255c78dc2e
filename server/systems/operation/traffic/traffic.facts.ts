import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { done } from '../../../testing/acts.ts'
import { copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts } from '../../../testing/facts.ts'
import { channelInput, landingHosts } from '../launch/launch.facts.ts'

const { launch, trafficPerson } = contract
const about = 'is about a person within the data rule, not about a merchant'

/** People with a record each, in some groups, over one channel, with numbers of the last days. */
const filled = async (fixture: Fixture): Promise<void> => {
  const { userNo } = await fixture.reviewer({ perms: [] })
  await fixture.exec(landingHosts)
  const channelNo = String((await done(fixture, launch.save, channelInput(fixture.boss.userNo))).key)
  await copied(
    fixture,
    'app_user',
    `user_no = '${userNo}'`,
    `jsonb_build_object(${prefixed('user_no', 'login_id')}, 'real_name', 'Ruth ' || n % 3, 'job_no', 'NT' || (2000 + n), 'phone', '25679' || (1000000 + n))`,
  )
  await fixture.exec(sql`
    insert into traffic_person (user_no, group_no, traffic_kind, principal_merchant_no, created_time, updated_by, updated_time)
    select u.user_no, 'G' || row_number() over () % 4, (array['employee', 'promoter'])[1 + row_number() over () % 2], 'M1', u.created_time, 'system',
      u.created_time + row_number() over () % 5 * interval '1 hour'
    from app_user u where u.job_no like 'NT2%' on conflict do nothing`)
  await fixture.exec(sql`
    insert into traffic_channel (user_no, channel_no, from_time)
    select user_no, ${channelNo}, updated_time from traffic_person where traffic_kind = 'promoter' on conflict do nothing`)
  await fixture.exec(sql`
    insert into traffic_stat_daily (user_no, channel_no, stat_date, register_count, incoming_count, paid_out_count, payout_amount, cost_amount)
    select user_no, ${channelNo}, ${fixture.clock.now()}::date, length(user_no), 3, ascii(right(user_no, 1)) % 3, ascii(right(user_no, 1)) % 3 * 1000, 700
    from traffic_person on conflict do nothing`)
}

export default facts({
  lists: [
    {
      list: trafficPerson.page,
      key: 'userNo',
      of: 'company',
      fill: filled,
      first: true,
      means: {
        search: (row, text: string) =>
          `${row.realName} ${row.loginId} ${row.jobNo}`.toLowerCase().includes(text.trim().toLowerCase()),
        merchantNo: (row, wanted: string[]) =>
          wanted.length === 0 ||
          [row.principalMerchantNo, ...(row.associatedMerchantNos as string[])].some(no => wanted.includes(String(no))),
        groupNo: (row, text: string) => String(row.groupNo).toLowerCase() === text.toLowerCase(),
        promotionChannelNo: (row, no: string) => (row.promotionChannelNos as string[]).includes(no),
      },
      holds: { key: 'userNo', query: sql`select u.user_no, u.dept_no from app_user u` },
    },
    {
      list: trafficPerson.customers,
      key: 'orderNo',
      of: 'company',
      fill: async fixture => {
        await fixture.exec(sql`
          insert into customer_promoter (customer_no, promoter_no, channel_no, register_time)
          select customer_no, (select min(user_no) from traffic_person), (select min(channel_no) from promotion_channel), now() from customer on conflict do nothing`)
      },
    },
  ],
  calls: Object.values(trafficPerson).map(call => ({ call: call as Endpoint, about })),
})
