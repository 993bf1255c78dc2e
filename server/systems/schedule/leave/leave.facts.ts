import { contract } from '../../../../core/contract/contract.ts'
import { many, rows } from '../../../../tests/races/resource.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { facts, way } from '../../../testing/facts.ts'

const { leave } = contract
let days = 0

export default facts({
  machines: {
    leave: {
      row: {
        leaveNo: 'LV1',
        userNo: 'U1',
        leaveType: 'annual',
        startTime: '2026-03-02T07:00:00Z',
        endTime: '2026-03-03T07:00:00Z',
        createdBy: 'U1',
        createdTime: '2026-03-02T07:00:00Z',
      },
    },
  },
  commands: [
    {
      call: leave.audit,
      make: async fixture => {
        const no = await fixture.leaveAsked(fixture.second)
        return { no, input: { leaveNo: no, version: 0, result: 'approve' } }
      },
    },
    {
      call: leave.cancel,
      make: async fixture => {
        const no = await fixture.leaveAsked()
        return { no, input: { leaveNo: no, version: 0 } }
      },
    },
  ],
  beginnings: [
    {
      call: leave.apply,
      input: () => ({ leaveType: 'sick', startTime: '2026-01-05T05:00:00Z', endTime: '2026-01-05T14:00:00Z' }),
    },
  ],
  ways: [
    way('leave is rejected, and approved leave is cancelled', async fixture => {
      const [no, kept] = [await fixture.leaveAsked(fixture.second), await fixture.leaveAsked(fixture.second)]
      await done(fixture, leave.audit, { leaveNo: no, version: 0, result: 'reject', auditRemark: 'too many are away' })
      await done(fixture, leave.audit, { leaveNo: kept, version: 0, result: 'approve' })
      await done(fixture, leave.cancel, { leaveNo: kept, version: 1 }, fixture.second)
    }),
  ],
  lists: [
    {
      list: leave.page,
      key: 'leaveNo',
      of: 'person',
      fill: async fixture => {
        const leaveNo = await fixture.leaveAsked()
        const changes = `jsonb_build_object(${prefixed('leave_no')}, ${at('start_time')}, ${at('created_time')}, 'leave_status', 'cancelled')`
        await copied(fixture, 'leave_apply', `leave_no = '${leaveNo}'`, changes)
      },
    },
  ],
  records: [{ fields: ['leaveNo'], table: 'leave_apply', key: 'leave_no', make: fixture => fixture.leaveAsked() }],
  calls: [{ call: leave.apply, about: 'makes leave of the caller' }],
  races: [
    {
      name: 'a day of leave',
      rule: 'M72: leave of one person does not overlap',
      available: 1,
      async make(fixture, parallel) {
        const day = Date.parse('2026-06-01T06:00:00Z') + ++days * 86_400_000
        const [startTime, endTime] = [day, day + 3_600_000].map(at => new Date(at).toISOString())
        const input = { leaveType: 'annual' as const, startTime: startTime!, endTime: endTime! }
        return { tries: many(parallel, () => () => fixture.call(leave.apply, input, { as: fixture.boss })) }
      },
      kept: { by: rows, at: /from leave_apply\s+where user_no/ },
    },
  ],
})
