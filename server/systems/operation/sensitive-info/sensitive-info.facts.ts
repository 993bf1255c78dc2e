import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { plainSettings } from '../../../../core/rules/sensitive.ts'
import { facts } from '../../../testing/facts.ts'
import { holdersOf } from '../../../testing/order-lists.ts'

const { businessConfig, sensitiveInfo } = contract
const lineNo = sql`('AL' || lpad(l.access_no::text, 12, '0'))`

export default facts({
  approvals: [
    {
      action: 'businessConfig.WATERMARK',
      ask: async fixture => {
        const configKey = 'WATERMARK' as const
        const { version } = fixture.must(await fixture.call(businessConfig.get, { configKey }, { as: fixture.boss }))
        const input = { configKey, version, value: { watermark: true } }
        return fixture.must(await fixture.call(businessConfig.update, input, { as: fixture.boss })).approvalNo
      },
    },
    {
      action: 'sensitiveInfo.save',
      ask: async fixture => {
        const weaker = { ...plainSettings, fieldKey: 'idNumber', version: 0, dataClass: 'C1' } as const
        const { approvalNo } = fixture.must(await fixture.call(sensitiveInfo.save, weaker, { as: fixture.boss })) as {
          approvalNo: string
        }
        return approvalNo
      },
    },
  ],
  lists: [
    {
      list: sensitiveInfo.revealLog,
      key: 'accessNo',
      ownedBy: 'orderNo',
      fill: async (fixture, { waiting, paid }) => {
        await fixture.exec(sql`
          insert into access_log (user_no, access_kind, object_type, object_no, field, kind, reason, at, ip, request_id, result)
          select (array['U1', 'U2', ${fixture.boss.userNo}])[1 + n % 3], (array['reveal', 'view'])[1 + n % 2], 'order', (array[${waiting}, ${paid}]::text[])[1 + n % 2],
            (array['phone', 'idNumber,phone'])[1 + n % 2], (array['phone', null])[1 + n % 2], case when n % 3 = 0 then 'asked ' || n end,
            ${fixture.clock.now()}::timestamptz - make_interval(mins => n / 2), '10.0.0.1', 'test', (array['shown', 'empty', 'over_limit'])[1 + n % 3]
          from generate_series(1, 60) n`)
      },
      means: {
        kind: (row, kinds: readonly string[]) =>
          kinds.length === 0 || (row.seenKinds as string[]).some(one => kinds.includes(one)),
        reviewed: (row, is: boolean) => (row.reviewedBy !== null) === is,
      },
    },
  ],
  records: [
    {
      fields: ['accessNo', 'accessNos'],
      table: 'access_log',
      key: 'access_no',
      // Newer than what people of the fixture have revealed: it stands on the first page.
      make: async (fixture, _, { orderNo }) => {
        await fixture.exec(sql`
          insert into access_log (user_no, access_kind, object_type, object_no, field, kind, at, request_id)
          values ('U1', 'reveal', 'order', ${orderNo}, 'phone', 'phone', ${fixture.clock.now()}::timestamptz + interval '1 minute', 'test')`)
        const { no } = await fixture.one(
          sql<{ no: string }>`select ${lineNo} as no from access_log l order by l.access_no desc limit 1`,
        )
        return no
      },
      owners: sql`select ${lineNo} as no, o.merchant_no, ${holdersOf} as holders from access_log l join loan_order o on o.order_no = l.object_no and l.object_type = 'order'`,
    },
  ],
  calls: [sensitiveInfo.page, sensitiveInfo.detail, sensitiveInfo.effect, sensitiveInfo.save].map(call => ({
    call: call as Endpoint,
    about: 'how values are guarded, whatever the merchant',
  })),
})
