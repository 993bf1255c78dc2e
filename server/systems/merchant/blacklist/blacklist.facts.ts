import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts } from '../../../testing/facts.ts'
import { readyFile } from '../../../testing/ready-file.ts'

const { blacklist } = contract
let made = 0
const phone = () => `25676${String(1_000_000 + ++made)}`

const asked = async (fixture: Fixture, change: object = {}) => ({
  ...{ dimension: 'phone', values: phone(), reasonCode: 'fraud', merchantNo: 'M1' },
  evidenceFile: await readyFile(fixture.db, fixture.boss.userNo),
  ...change,
})

/** Bars a fresh phone; answers its entry. */
const barred = async (fixture: Fixture, change: object = {}): Promise<string> => {
  const remark = `fixture ${++made}`
  await done(fixture, blacklist.add, await asked(fixture, { remark, ...change }))
  const { no } = await fixture.one(
    sql<{ no: string }>`select item_no as no from name_list_item where remark = ${remark}`,
  )
  return no
}

const record = {
  table: 'name_list_item',
  key: 'item_no',
  fields: ['itemNo', 'itemNos'],
  under: '/merchant/blacklist',
  make: (fixture: Fixture, merchantNo: string) => barred(fixture, { merchantNo }),
  owners: sql`select i.item_no as no, l.merchant_no, '{}'::text[] as holders from name_list_item i join name_list l using (name_list_no) where l.merchant_no is not null`,
  unheld: true,
} as const

export default facts({
  commands: [
    {
      call: blacklist.extend,
      make: async fixture => {
        const no = await barred(fixture)
        const expireTime = new Date(fixture.clock.now().getTime() + 400 * 86_400_000).toISOString()
        return { no, input: { itemNos: [no], expireTime } }
      },
      race: { again: true },
    },
    {
      call: blacklist.remove,
      make: async fixture => {
        const no = await barred(fixture)
        return { no, input: { itemNos: [no], reason: 'another person of the same name' } }
      },
      fires: { machine: 'M74', event: 'approval.submit', why: 'a second person must agree first' },
    },
  ],
  beginnings: [
    { call: blacklist.add, input: asked },
    {
      call: blacklist.addPerson,
      input: async fixture => {
        const { orderNo } = await fixture.disbursed()
        const { customerNo } = await fixture.one(
          sql<{ customerNo: string }>`select customer_no from loan_order where order_no = ${orderNo}`,
        )
        const { dimension: _, values: __, ...said } = await asked(fixture)
        return { ...said, customerNo, dimensions: ['phone'] }
      },
    },
    {
      call: blacklist.page.importing!.command,
      input: async fixture => {
        const bytes = Buffer.from(`dimension,listValue,reason,merchantNo,remark\nphone,${phone()},fraud,M1,\n`)
        return { uploadNo: await fixture.uploaded(fixture.boss, { purpose: 'import', fileName: 'list.csv', bytes }) }
      },
    },
  ],
  approvals: [
    {
      action: 'blacklist.add',
      ask: async fixture => {
        const { approvalNo } = await done(fixture, blacklist.add, await asked(fixture, { merchantNo: undefined }))
        return String(approvalNo)
      },
    },
    {
      action: 'blacklist.remove',
      ask: async fixture => {
        const no = await barred(fixture)
        await done(fixture, blacklist.remove, { itemNos: [no], reason: 'another person' })
        const { approvalNo } = await fixture.one(sql<{ approvalNo: string }>`
          select approval_no from approval where object_no = ${no} and approval_status = 'pending'`)
        return approvalNo
      },
    },
  ],
  lists: [
    {
      list: blacklist.page,
      key: 'itemNo',
      of: 'company',
      fill: async fixture => {
        const no = await barred(fixture)
        const changes = `jsonb_build_object(${prefixed('item_no')}, 'value_hash', x.value_hash || n, ${at('created_time')}, ${at('expire_time')}, 'times_hit', n % 4, 'reason_code', (array['fraud', 'court', 'other'])[1 + n % 3])`
        await copied(fixture, 'name_list_item', `item_no = '${no}'`, changes)
      },
      means: {
        // Nothing of a value is shown that it could be found by.
        listValue: () => false,
        neverHit: (row, never: boolean) => (row.timesHit === 0) === never,
      },
    },
  ],
  records: [record],
  calls: Object.values(blacklist).map(call => ({
    call: call as never,
    about: 'entries for all merchants are ours; those of a merchant are asked for in the test of the noun',
  })),
})
