import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, type MerchantNo } from '../../../testing/facts.ts'
import { groupOf } from '../sms-task/sms-task.facts.ts'
import { settled } from '../unrenewed/unrenewed.facts.ts'

const { userGroups } = contract
let made = 0

/** A file of numbers. */
export const numbersFile = (fixture: Fixture, lines: readonly string[]) => {
  const bytes = Buffer.from(`userGroupName,merchantNo,phone\n${lines.join('\n')}\n`)
  return fixture.uploaded(fixture.boss, { purpose: 'import', fileName: 'numbers.csv', bytes })
}

/** The number of the customer of an order. */
export const phoneOf = async (fixture: Fixture, orderNo: string): Promise<string> =>
  (
    await fixture.one(sql<{ phone: string }>`
      select mc.phone from loan_order o join merchant_customer mc using (customer_no, merchant_no) where o.order_no = ${orderNo}`)
  ).phone

const group = async (fixture: Fixture, merchantNo: MerchantNo = 'M1') =>
  groupOf(fixture, [await settled(fixture, merchantNo)])

export default facts({
  beginnings: [
    {
      call: userGroups.page.importing!.command,
      input: async fixture => {
        const phone = await phoneOf(fixture, await settled(fixture))
        return { uploadNo: await numbersFile(fixture, [`Market women ${++made},M1,${phone}`]) }
      },
    },
  ],
  lists: [
    {
      list: userGroups.page,
      key: 'userGroupNo',
      of: 'company',
      fill: async fixture => {
        const no = await group(fixture)
        const changes = `jsonb_build_object(${prefixed('user_group_no')}, ${at('created_time')}, 'user_group_name', 'Group of ' || x.user_group_no || n)`
        await copied(fixture, 'user_group', `user_group_no = '${no}'`, changes)
      },
      means: {
        userGroupName: (row, text: string) =>
          String(row.userGroupName).toLowerCase().includes(text.trim().toLowerCase()),
      },
    },
  ],
  records: [
    {
      fields: ['userGroupNo'],
      table: 'user_group',
      key: 'user_group_no',
      make: (fixture, merchantNo) => group(fixture, merchantNo),
      owners: sql`
        select g.user_group_no as no, min(m.merchant_no) as merchant_no, '{}'::text[] as holders from user_group g join user_group_member m using (user_group_no)
        group by g.user_group_no`,
      unheld: true,
    },
  ],
  calls: [
    { call: userGroups.page.importing!.command, otherPerm: 'who makes tasks brings the numbers for them' },
    { call: userGroups.verify as Endpoint, needs: () => ({ purpose: 'sms' }) },
    {
      call: userGroups.page as Endpoint,
      about: 'a group is of several merchants: members out of reach are not counted, in the test of the noun',
    },
  ],
})
