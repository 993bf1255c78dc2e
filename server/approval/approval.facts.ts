import { sql } from 'kysely'
import { contract } from '../../core/contract/contract.ts'
import { countOf, many, rowsAndVersions } from '../../tests/races/resource.ts'
import { at, copied, prefixed } from '../testing/copies.ts'
import { facts, type House, type Made, way } from '../testing/facts.ts'
import type { Person } from '../testing/kit.ts'

const { common, loan } = contract
const byRow = 'the code of the check belongs to the action that is held; the server asks for it row by row'

const pending = async (house: House, as: Person): Promise<Made> => {
  const { approvalNo } = await house.requested()
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
      make: house => pending(house, house.second),
    },
    {
      call: common.reject,
      make: async house => {
        const { input, ...rest } = await pending(house, house.second)
        return { ...rest, input: { ...input, reason: 'not so' } }
      },
    },
    {
      call: common.withdraw,
      make: house => pending(house, house.boss),
    },
  ],
  ways: [
    way('a request is over after three days', async house => {
      await house.requested()
      await house.pass(73 * 60)
      await house.tick('approval.expire')
    }),
  ],
  lists: [
    {
      list: common.approvals,
      key: 'approvalNo',
      asked: () => ({ box: 'mine' }),
      fill: async house => {
        const { approvalNo } = await house.requested()
        const changes = `jsonb_build_object(${prefixed('approval_no', 'object_no')}, ${at('submit_time')})`
        await copied(house, 'approval', `approval_no = '${approvalNo}'`, changes)
      },
      holds: { key: 'approvalNo', query: sql`select approval_no, object_type, object_no, order_no from approval` },
    },
  ],
  records: [
    {
      fields: ['approvalNo'],
      table: 'approval',
      key: 'approval_no',
      make: async (house, merchantNo) => (await house.requested(merchantNo)).approvalNo,
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
      async make(house, parallel) {
        const { approvalNo } = await house.requested()
        const input = { approvalNo, version: 0 }
        const proof = { 'x-step-up': await house.stepUp(house.second) }
        const ways = [
          () => house.call(common.approve, input, { as: house.second, headers: proof }),
          () => house.call(common.reject, { ...input, reason: 'not so' }, { as: house.second }),
          () => house.call(common.withdraw, input, { as: house.boss }),
        ]
        return { tries: many(parallel, i => ways[i % ways.length]!) }
      },
      kept: { by: rowsAndVersions, at: /select \* from approval where approval_no/ },
    },
    {
      name: 'the request for a second person',
      rule: 'M74: one request of a kind waits for a record',
      available: 1,
      async make(house, parallel) {
        const { loanCode } = await house.disbursed()
        const version = await house.versionOf('loanCode', loanCode)
        const input = { loanCode, version, reason: 'wrong customer' }
        return {
          tries: many(parallel, () => () => house.call(loan.cancelPaid, input, { as: house.boss })),
          taken: () =>
            countOf(house, sql`select 1 from approval where object_no = ${loanCode} and approval_status = 'pending'`),
        }
      },
      kept: { by: rowsAndVersions, drop: ['drop index if exists approval_pending'] },
    },
  ],
})
