import { sql } from 'kysely'
import { contract, endpoints } from '../../../core/contract/contract.ts'
import { inputOf } from '../../../tests/contract/inputs.ts'
import { countOf, many, rows } from '../../../tests/races/resource.ts'
import { done } from '../../testing/acts.ts'
import { at, copied, prefixed } from '../../testing/copies.ts'
import { facts, way } from '../../testing/facts.ts'

const { audit, exports } = contract
const exporting = audit.manageList.exporting!

export default facts({
  machines: {
    exportJob: {
      row: {
        exportNo: 'EX1',
        userNo: 'U1',
        exportList: 'orders',
        exportFormat: 'csv',
        columns: ['orderNo'],
        sort: '-applyTime',
        language: 'en',
        fileId: 'file-1',
        requestTime: '2026-03-02T07:00:00Z',
      },
    },
  },
  commands: [
    {
      call: exports.retry,
      make: async fixture => {
        const exportNo = await fixture.exported()
        const version = await fixture.versionOf('exportJob', exportNo)
        fixture.must(await fixture.call(exports.cancel, { exportNo, version }, { as: fixture.boss }))
        return { no: exportNo, input: { exportNo, version: await fixture.versionOf('exportJob', exportNo) } }
      },
    },
  ],
  beginnings: endpoints
    .filter(({ endpoint }) => endpoint.on?.event === 'export.request')
    .map(({ endpoint: call }) => ({
      call,
      input: () => ({ ...inputOf(call), filters: {}, reason: 'monthly report' }),
    })),
  ways: [
    way('an export is fetched, and gone after its time', async fixture => {
      const exportNo = await fixture.exported()
      await fixture.worker.drain()
      await done(fixture, exports.file, { exportNo })
      await fixture.pass(90 * 1440)
      await fixture.tick('export.expiry')
    }),
  ],
  lists: [
    {
      list: exports.page,
      key: 'exportNo',
      of: 'person',
      fill: async fixture => {
        const exportNo = await fixture.exported()
        const changes = `jsonb_build_object(${prefixed('export_no', 'file_id')}, ${at('request_time')})`
        await copied(fixture, 'export_job', `export_no = '${exportNo}'`, changes)
      },
    },
  ],
  records: [{ fields: ['exportNo'], table: 'export_job', key: 'export_no', make: fixture => fixture.exported() }],
  calls: [
    {
      call: exports.retry,
      otherPerm: 'the code is that of the list that was exported; the server asks for it row by row',
    },
  ],
  races: [
    {
      name: 'the exports that run for a person',
      rule: 'H11: three files at a time are written for one person',
      available: 3,
      async make(fixture, parallel) {
        await fixture.worker.drain()
        const asked = { filters: {}, columns: ['orderNo'], exportFormat: 'csv' as const, reason: 'monthly report' }
        const running = sql`select 1 from export_job where user_no = ${fixture.boss.userNo} and export_status in ('queued', 'running')`
        return {
          tries: many(parallel, () => () => fixture.call(exporting, asked, { as: fixture.boss })),
          taken: () => countOf(fixture, running),
          after: () => fixture.worker.drain().then(() => undefined),
        }
      },
      kept: { by: rows, at: /as running from export_job/ },
    },
  ],
})
