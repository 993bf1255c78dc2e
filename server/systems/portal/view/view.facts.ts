import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { viewCaps } from '../../../../core/contract/portal/view.ts'
import { countOf, many, rows } from '../../../../tests/races/resource.ts'
import { type Fixture, facts } from '../../../testing/facts.ts'

const { view } = contract

let drawn = 0
const tag = 'mkopo-portal-home'
const look = { filters: {}, columns: [], sort: 'orderNo', density: null }
const tabOf = () => `${tag}/t${++drawn}`

/** Views that are there already, of anybody. */
const views = (fixture: Fixture, widget: string, owner: string, n: number, shared = false) =>
  fixture.exec(sql`
    insert into saved_view (view_no, owner_no, widget, view_name, filters, columns, sort, shared, created_time, updated_time)
    select 'VX' || ${drawn} || '-' || n, ${owner}, ${widget}, 'Earlier ' || n, '{}', '{}', 'orderNo', ${shared}, now(), now() from generate_series(1, ${n}) n`)

const saved = async (fixture: Fixture, widget: string, as = fixture.boss): Promise<string> =>
  fixture.must(await fixture.call(view.saveAs, { widget, viewName: `View ${++drawn}`, ...look }, { as })).viewNo

export default facts({
  lists: [
    {
      list: view.page,
      key: 'viewNo',
      of: 'person',
      asked: () => ({ widget: tag }),
      fill: async fixture => {
        for (let n = 0; n < 29; n++) await fixture.savedView()
      },
    },
  ],
  records: [{ fields: ['viewNo'], table: 'saved_view', key: 'view_no', make: fixture => fixture.savedView() }],
  calls: [{ call: view.saveAs, about: 'makes a view of the caller' }],
  races: [
    {
      name: 'the views that a person keeps of a list',
      rule: `portal: ${viewCaps.own} views of a list are one person's`,
      available: 1,
      async make(fixture, parallel) {
        const widget = tabOf()
        await views(fixture, widget, fixture.boss.userNo, viewCaps.own - 1)
        return {
          tries: many(
            parallel,
            i => () => fixture.call(view.saveAs, { widget, viewName: `Name ${i}`, ...look }, { as: fixture.boss }),
          ),
        }
      },
      kept: { by: rows, at: /count\(\*\)::int as n from saved_view/ },
    },
    {
      name: 'the name of a view',
      rule: 'portal: names of views are unique',
      available: 1,
      async make(fixture, parallel) {
        const input = { widget: tabOf(), viewName: 'Mine', ...look }
        return { tries: many(parallel, () => () => fixture.call(view.saveAs, input, { as: fixture.boss })) }
      },
      kept: { by: rows, drop: ['drop index saved_view_name'], at: /count\(\*\)::int as n from saved_view/ },
    },
    {
      name: 'the default view of a list',
      rule: 'portal: one view opens with a list',
      available: 1,
      async make(fixture, parallel) {
        const widget = tabOf()
        const made = [await saved(fixture, widget), await saved(fixture, widget), await saved(fixture, widget)]
        return {
          tries: many(
            parallel,
            i => () => fixture.call(view.setDefault, { widget, viewNo: made[i % 3]! }, { as: fixture.boss }),
          ),
          taken: () =>
            countOf(
              fixture,
              sql`select 1 from saved_view_default where user_no = ${fixture.boss.userNo} and widget = ${widget}`,
            ),
        }
      },
      kept: { by: rows, drop: ['alter table saved_view_default drop constraint saved_view_default_pkey'] },
    },
    {
      name: 'the views of a list shared in one company',
      rule: `portal: ${viewCaps.shared} views of a list are shared`,
      available: 1,
      async make(fixture, parallel) {
        const widget = tabOf()
        const { userNo } = await fixture.person({ perms: [] })
        await views(fixture, widget, userNo, viewCaps.shared - 1, true)
        const made = [
          { as: fixture.boss, viewNo: await saved(fixture, widget) },
          { as: fixture.second, viewNo: await saved(fixture, widget, fixture.second) },
        ]
        return {
          tries: many(parallel, i => () => {
            const { as, viewNo } = made[i % 2]!
            return fixture.call(view.share, { viewNo, shared: true, version: 0 }, { as })
          }),
          taken: async () =>
            (await countOf(fixture, sql`select 1 from saved_view where widget = ${widget} and shared`)) -
            (viewCaps.shared - 1),
        }
      },
      kept: { by: rows, at: /count\(\*\)::int as n from saved_view/ },
    },
    {
      name: 'a change of a view',
      rule: 'M14: a change of an outdated version is refused',
      available: 1,
      async make(fixture, parallel) {
        const viewNo = await saved(fixture, tabOf())
        return {
          tries: many(
            parallel,
            i => () =>
              fixture.call(view.save, { viewNo, viewName: `Other ${i}`, ...look, version: 0 }, { as: fixture.boss }),
          ),
        }
      },
      kept: { by: rows, at: /from saved_view v join app_user u on u\.user_no = v\.owner_no where v\.view_no/ },
    },
  ],
})
