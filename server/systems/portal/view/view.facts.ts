import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { viewCaps } from '../../../../core/contract/portal/view.ts'
import { countOf, many, rows } from '../../../../tests/races/resource.ts'
import { facts, type House } from '../../../testing/facts.ts'

const { view } = contract

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

export default facts({
  lists: [
    {
      list: view.page,
      key: 'viewNo',
      of: 'person',
      asked: () => ({ widget: tag }),
      fill: async house => {
        for (let n = 0; n < 29; n++) await house.savedView()
      },
    },
  ],
  records: [{ fields: ['viewNo'], table: 'saved_view', key: 'view_no', make: house => house.savedView() }],
  calls: [{ call: view.saveAs, about: 'makes a view of the caller' }],
  races: [
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
            i => () =>
              house.call(view.save, { viewNo, viewName: `Other ${i}`, ...look, version: 0 }, { as: house.boss }),
          ),
        }
      },
      kept: { by: rows, at: /from saved_view v join app_user u on u\.user_no = v\.owner_no where v\.view_no/ },
    },
  ],
})
