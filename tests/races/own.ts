import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { contract } from '../../core/contract/contract.ts'
import { viewCaps } from '../../core/contract/view.ts'
import type { House } from '../contract/house.ts'
import { countOf, inTurn, many, type Resource, rows, rowsAndVersions } from './resource.ts'

const { attach, audit, loan, upload, view } = contract
const exporting = audit.manageList.exporting!

let drawn = 0
const tag = 'mkopo-portal-home'
const look = { filters: {}, columns: [], sort: 'orderNo', density: null }
const tabOf = () => `${tag}/t${++drawn}`

/** Views that are there already, of anybody. */
const views = (house: House, widget: string, owner: string, n: number, shared = false) =>
  house.exec(sql`
    insert into saved_view (view_no, owner_no, widget, view_name, filters, columns, sort, shared, created_time, updated_time)
    select 'VX' || ${drawn} || '-' || n, ${owner}, ${widget}, 'Earlier ' || n, '{}', '{}', 'orderNo', ${shared}, now(), now() from generate_series(1, ${n}) n`)

const saved = async (house: House, widget: string, as = house.boss): Promise<string> =>
  house.must(await house.call(view.saveAs, { widget, viewName: `View ${++drawn}`, ...look }, { as })).viewNo

/** The same bytes, sent by several people. */
const sameFile = (house: House, people: readonly House['boss'][], bytes: Buffer) =>
  inTurn(people, as => house.uploaded(as, { purpose: 'import', fileName: 'released.csv', bytes }))

export const ownResources: Resource[] = [
  {
    name: 'the views that a person keeps of a list',
    rule: `portal: ${viewCaps.own} views of a list are one person's`,
    available: 1,
    async make(house, parallel) {
      const widget = tabOf()
      await views(house, widget, house.boss.userNo, viewCaps.own - 1)
      return {
        tries: many(
          parallel,
          i => () => house.call(view.saveAs, { widget, viewName: `Name ${i}`, ...look }, { as: house.boss }),
        ),
      }
    },
    kept: { by: rows, at: /count\(\*\)::int as n from saved_view/ },
  },
  {
    name: 'the name of a view',
    rule: 'portal: names of views are told apart',
    available: 1,
    async make(house, parallel) {
      const input = { widget: tabOf(), viewName: 'Mine', ...look }
      return { tries: many(parallel, () => () => house.call(view.saveAs, input, { as: house.boss })) }
    },
    kept: { by: rows, drop: ['drop index saved_view_name'], at: /count\(\*\)::int as n from saved_view/ },
  },
  {
    name: 'the default view of a list',
    rule: 'portal: one view opens with a list',
    available: 1,
    async make(house, parallel) {
      const widget = tabOf()
      const made = [await saved(house, widget), await saved(house, widget), await saved(house, widget)]
      return {
        tries: many(
          parallel,
          i => () => house.call(view.setDefault, { widget, viewNo: made[i % 3]! }, { as: house.boss }),
        ),
        taken: () =>
          countOf(
            house,
            sql`select 1 from saved_view_default where user_no = ${house.boss.userNo} and widget = ${widget}`,
          ),
      }
    },
    kept: { by: rows, drop: ['alter table saved_view_default drop constraint saved_view_default_pkey'] },
  },
  {
    name: 'the views that a house shares of a list',
    rule: `portal: ${viewCaps.shared} views of a list are shared`,
    available: 1,
    async make(house, parallel) {
      const widget = tabOf()
      const { userNo } = await house.person({ perms: [] })
      await views(house, widget, userNo, viewCaps.shared - 1, true)
      const made = [
        { as: house.boss, viewNo: await saved(house, widget) },
        { as: house.second, viewNo: await saved(house, widget, house.second) },
      ]
      return {
        tries: many(parallel, i => () => {
          const { as, viewNo } = made[i % 2]!
          return house.call(view.share, { viewNo, shared: true, version: 0 }, { as })
        }),
        taken: async () =>
          (await countOf(house, sql`select 1 from saved_view where widget = ${widget} and shared`)) -
          (viewCaps.shared - 1),
      }
    },
    kept: { by: rows, at: /count\(\*\)::int as n from saved_view/ },
  },
  {
    name: 'a change of a view',
    rule: 'M14: who changes what somebody changed meanwhile is told so',
    available: 1,
    async make(house, parallel) {
      const viewNo = await saved(house, tabOf())
      return {
        tries: many(
          parallel,
          i => () => house.call(view.save, { viewNo, viewName: `Other ${i}`, ...look, version: 0 }, { as: house.boss }),
        ),
      }
    },
    kept: { by: rows, at: /from saved_view v join app_user u on u\.user_no = v\.owner_no where v\.view_no/ },
  },
  {
    name: 'the announcement of a file',
    rule: 'M68: what was begun goes on, and is not begun again',
    available: 1,
    async make(house, parallel) {
      const sha256 = createHash('sha256').update(String(++drawn)).digest('hex')
      const input = { purpose: 'attachment' as const, fileName: 'payslip.pdf', size: 2_048, sha256 }
      return {
        tries: many(parallel, () => () => house.call(upload.token, input, { as: house.boss })),
        taken: () => countOf(house, sql`select 1 from upload where sha256 = ${sha256}`),
      }
    },
    kept: { by: rows, at: /select \* from upload where user_no/ },
  },
  {
    name: 'an uploaded file',
    rule: 'I4, M68: a file belongs to one record',
    available: 1,
    async make(house, parallel) {
      const orders = [await house.queueUp(), await house.queueUp()]
      const uploadNo = await house.uploaded()
      return {
        tries: many(
          parallel,
          i => () =>
            house.call(
              attach.save,
              { objectType: 'order', objectNo: orders[i % 2]!, uploadNo, attachType: 'income' },
              { as: house.boss },
            ),
        ),
      }
    },
    kept: { by: rowsAndVersions, drop: ['drop index if exists attachment_live'] },
  },
  {
    name: 'the exports that run for a person',
    rule: 'H11: three files at a time are written for one person',
    available: 3,
    async make(house, parallel) {
      await house.worker.drain()
      const asked = { filters: {}, columns: ['orderNo'], exportFormat: 'csv' as const, reason: 'monthly report' }
      const running = sql`select 1 from export_job where user_no = ${house.boss.userNo} and export_status in ('queued', 'running')`
      return {
        tries: many(parallel, () => () => house.call(exporting, asked, { as: house.boss })),
        taken: () => countOf(house, running),
        after: () => house.worker.drain().then(() => undefined),
      }
    },
    kept: { by: rows, at: /as running from export_job/ },
  },
  {
    name: 'the bytes of a file that is brought',
    rule: 'H7: the same file twice in a day is asked about',
    available: 1,
    async make(house) {
      const bytes = Buffer.from(
        `loanCode,orderNo,result,serialNo,payoutTime\nLC${++drawn},LO1,success,SN1,2026-03-02 09:00:00\n`,
      )
      const people = [house.boss, house.second]
      const files = await sameFile(house, people, bytes)
      return {
        tries: files.map(
          (uploadNo, i) => () => house.call(loan.page.importing!.command, { uploadNo }, { as: people[i]! }),
        ),
        after: () => house.worker.drain().then(() => undefined),
      }
    },
    at: /pg_advisory_xact_lock/,
    kept: {
      by: [...rowsAndVersions, [/pg_advisory_xact_lock\(hashtextextended\((\$1), 0\)\)/, '$1::text']],
      at: /from import_job i join app_user u/,
    },
  },
]
