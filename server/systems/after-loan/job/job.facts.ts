import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { facts } from '../../../testing/facts.ts'

const { job } = contract
const about = 'is about jobs of the company'

export default facts({
  lists: [
    {
      list: job.page,
      key: 'jobRunNo',
      of: 'company',
      fill: async fixture => {
        await fixture.exec(sql`
          insert into job_run (job, slot, job_status, planned_time) select (array['day.roll', 'recon.run', 'retention'])[1 + n % 3], 'S' || n, (array['done', 'failed'])[1 + n % 2], ${fixture.clock.now()}::timestamptz - n % 5 * interval '7 hours' from generate_series(1, 33) n`)
      },
    },
  ],
  calls: [
    { call: job.page, about },
    { call: job.retry, about },
  ],
})
