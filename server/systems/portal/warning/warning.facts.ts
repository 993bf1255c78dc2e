import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'

const { warning } = contract
const perms = 'the type of the warning says which'

const numberOf = async (fixture: Fixture, type: string): Promise<string> => {
  const [row] = await fixture.rows(
    sql<{ no: string }>`
      select warning_no as no from warning where warning_type = ${type} and warning_status in ('open', 'acknowledged') order by first_time desc limit 1`,
  )
  return row!.no
}

/** Orders that have waited for an auditor for too long. */
const waiting = async (fixture: Fixture): Promise<string> => {
  await fixture.queueUp()
  await fixture.pass(31)
  await fixture.tick('warning.rules')
  return numberOf(fixture, 'audit_waiting')
}

/** A job gives up, or was run again. */
const failing = async (fixture: Fixture): Promise<string> => {
  await fixture.exec(sql`
    insert into job_run (job, slot, job_status, planned_time) values ('fixture.job', '2026-01-01', 'failed', ${fixture.clock.now()})`)
  await fixture.tick('warning.rules')
  return numberOf(fixture, 'job_failed')
}
const mended = async (fixture: Fixture): Promise<void> => {
  await fixture.exec(sql`delete from job_run where job = 'fixture.job'`)
  await fixture.tick('warning.rules')
}

let people = 0
/** Somebody has seen as many values as one may; only a person ends that. */
const revealed = async (fixture: Fixture, merchantNo = 'M1'): Promise<string> => {
  const { userNo } = await fixture.person({ perms: [], name: `Reader ${++people}`, merchants: [merchantNo] })
  await fixture.exec(sql`
    insert into access_log (user_no, access_kind, object_type, object_no, field, at, request_id)
    select ${userNo}, 'reveal', 'order', 'LO' || n, 'phone', ${fixture.clock.now()}, 'fixture' from generate_series(1, 60) n`)
  await fixture.tick('warning.rules')
  const [row] = await fixture.rows(
    sql<{ no: string }>`select warning_no as no from warning where dedupe_key = ${`mass_reveal:${userNo}`}`,
  )
  return row!.no
}

export default facts({
  machines: {
    warning: {
      row: {
        warningNo: 'WN1',
        dedupeKey: 'job_failed:day-roll',
        warningType: 'job_failed',
        warningLevel: 'warning',
        perm: 'ops:job:run',
        objectType: 'job',
        facts: '{}',
        firstTime: '2026-03-02T07:00:00Z',
        lastTime: '2026-03-02T07:00:00Z',
      },
    },
  },
  commands: [
    {
      call: warning.ack,
      make: async fixture => {
        const no = await revealed(fixture)
        return { no, input: { warningNos: [no] } }
      },
    },
    {
      call: warning.resolve,
      make: async fixture => {
        const no = await revealed(fixture)
        return { no, input: { warningNo: no, version: 0, remark: 'asked, had a reason' } }
      },
    },
  ],
  ways: [
    way('a warning comes again, is taken on, and ends with its cause', async fixture => {
      const no = await waiting(fixture)
      await fixture.queueUp()
      await fixture.pass(31)
      await fixture.tick('warning.rules')
      await done(fixture, warning.ack, { warningNos: [no] })
      await fixture.queueUp()
      await fixture.pass(31)
      await fixture.tick('warning.rules')
      await failing(fixture)
      await mended(fixture)
      const again = await failing(fixture)
      await done(fixture, warning.ack, { warningNos: [again] })
      await mended(fixture)
      const other = await revealed(fixture)
      await done(fixture, warning.ack, { warningNos: [other] })
      await done(fixture, warning.resolve, { warningNo: other, version: 1, remark: 'asked, had a reason' })
    }),
  ],
  lists: [
    {
      list: warning.page,
      key: 'warningNo',
      fill: async fixture => {
        const no = await revealed(fixture)
        const changes = `jsonb_build_object(${prefixed('warning_no', 'dedupe_key')}, ${at('first_time')}, ${at('last_time')}, 'warning_level', (array['info', 'warning', 'critical'])[1 + n % 3])`
        await copied(fixture, 'warning', `warning_no = '${no}'`, changes)
      },
      of: 'company',
      first: true,
    },
    {
      list: warning.occurrences,
      key: 'occurrenceNo',
      of: 'company',
      fill: async fixture => {
        await fixture.exec(sql`
          insert into warning_occurrence (warning_no, at, facts)
          select warning_no, first_time, facts from warning`)
      },
    },
  ],
  records: [{ fields: ['warningNo', 'warningNos'], table: 'warning', key: 'warning_no', make: revealed }],
  calls: [
    { call: warning.ack, otherPerm: perms },
    { call: warning.resolve, otherPerm: perms },
    { call: warning.alert, about: 'shows what the list of warnings shows' },
  ],
})
