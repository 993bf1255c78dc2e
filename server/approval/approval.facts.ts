import { sql } from 'kysely'
import { contract } from '../../core/contract/contract.ts'
import { countOf, many, rowsAndVersions } from '../../tests/races/resource.ts'
import { at, copied, prefixed } from '../testing/copies.ts'
import { type Fixture, facts, type Made, way } from '../testing/facts.ts'
import type { Person } from '../testing/kit.ts'

const { common, loan } = contract
const byRow = 'the code of the check belongs to the action that is held; the server asks for it row by row'

const pending = async (fixture: Fixture, as: Person): Promise<Made> => {
  const { approvalNo } = await fixture.requested()
  return { no: approvalNo, input: { approvalNo, version: 0 }, as }
}

export default facts({
  machines: {
    approval: {
      row: {
        approvalNo: 'AP1',
        approvalAction: 'flow.void',
        objectType: 'flow',
        objectNo: 'FL1',
        perm: 'repay:flow:void',
        payload: '{}',
        payloadHash: 'hash',
        targetVersion: 0,
        summary: '[]',
        makerNo: 'U1',
        makerName: 'U1',
        submitTime: '2026-03-02T07:00:00Z',
        expireTime: '2026-03-05T07:00:00Z',
      },
    },
  },
  commands: [
    {
      call: common.approve,
      make: fixture => pending(fixture, fixture.second),
    },
    {
      call: common.reject,
      make: async fixture => {
        const { input, ...rest } = await pending(fixture, fixture.second)
        return { ...rest, input: { ...input, reason: 'not so' } }
      },
    },
    {
      call: common.withdraw,
      make: fixture => pending(fixture, fixture.boss),
    },
  ],
  ways: [
    way('a request is over after three days', async fixture => {
      await fixture.requested()
      await fixture.pass(73 * 60)
      await fixture.tick('approval.expire')
    }),
  ],
  lists: [
    {
      list: common.approvals,
      key: 'approvalNo',
      asked: () => ({ box: 'mine' }),
      fill: async fixture => {
        const { approvalNo } = await fixture.requested()
        const changes = `jsonb_build_object(${prefixed('approval_no', 'object_no')}, ${at('submit_time')})`
        await copied(fixture, 'approval', `approval_no = '${approvalNo}'`, changes)
      },
      holds: { key: 'approvalNo', query: sql`select approval_no, object_type, object_no, order_no from approval` },
    },
  ],
  records: [
    {
      fields: ['approvalNo'],
      table: 'approval',
      key: 'approval_no',
      make: async (fixture, merchantNo) => (await fixture.requested(merchantNo)).approvalNo,
      owners: sql`select approval_no as no, merchant_no, array[maker_no] as holders from approval where merchant_no is not null`,
    },
  ],
  calls: [
    { call: common.approve, otherPerm: byRow },
    { call: common.reject, otherPerm: byRow },
    { call: common.withdraw, otherPerm: 'only the maker may withdraw, with whatever code the action has' },
  ],
  races: [
    {
      name: 'the decision on what waits for a second person',
      rule: 'X30, M74: approved, rejected or withdrawn, by one person, once',
      available: 1,
      async make(fixture, parallel) {
        const { approvalNo } = await fixture.requested()
        const input = { approvalNo, version: 0 }
        const proof = { 'x-step-up': await fixture.stepUp(fixture.second) }
        const ways = [
          () => fixture.call(common.approve, input, { as: fixture.second, headers: proof }),
          () => fixture.call(common.reject, { ...input, reason: 'not so' }, { as: fixture.second }),
          () => fixture.call(common.withdraw, input, { as: fixture.boss }),
        ]
        return { tries: many(parallel, i => ways[i % ways.length]!) }
      },
      kept: { by: rowsAndVersions, at: /select \* from approval where approval_no/ },
    },
    {
      name: 'the request for a second person',
      rule: 'M74: one request of a kind waits for a record',
      available: 1,
      async make(fixture, parallel) {
        const { loanCode } = await fixture.disbursed()
        const version = await fixture.versionOf('loanCode', loanCode)
        const input = { loanCode, version, reason: 'wrong customer' }
        return {
          tries: many(parallel, () => () => fixture.call(loan.cancelPaid, input, { as: fixture.boss })),
          taken: () =>
            countOf(fixture, sql`select 1 from approval where object_no = ${loanCode} and approval_status = 'pending'`),
        }
      },
      kept: { by: rowsAndVersions, drop: ['drop index if exists approval_pending'] },
    },
  ],
})
