import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { InputOf, OutputOf } from '../../../../core/contract/endpoint.ts'
import { viewCaps } from '../../../../core/contract/portal/view.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { viewModule } from './view.ts'

const { view } = contract
const widget = 'mkopo-audit-my-audit'
const page = ['audit:self:page']
type View = OutputOf<typeof view.save>

let kit: Kit
let grace: Person
let lead: Person
let count = 0
beforeAll(async () => {
  kit = await openKit({ modules: [viewModule()] })
  grace = await kit.person({ perms: page, name: 'Grace' })
  lead = await kit.person({ perms: [...page, 'view:share'], name: 'Ruth' })
  await kit.db.withTx(async tx => {
    await tx.exec(sql`insert into company values ('C2', 'Other Lender')`)
    await tx.exec(sql`insert into org values ('O9', 'Other', null, 'C2')`)
    await tx.exec(sql`insert into dept values ('D9', 'Other floor', null, 'O9')`)
  })
})
afterAll(() => kit.close())

const look = {
  filters: { box: 'todo', applyTime: ['2026-03-01', null] },
  columns: ['orderNo', 'loanAmount'],
  sort: '-applyTime',
  density: 'compact' as const,
}
const saveAs = (as: Person, o: Partial<InputOf<typeof view.saveAs>> = {}) =>
  kit.call(view.saveAs, { widget, viewName: `Mine ${++count}`, ...look, ...o }, { as })
const saved = async (as: Person, o: Partial<InputOf<typeof view.saveAs>> = {}): Promise<View> => {
  const { code, data, msg } = await saveAs(as, o)
  expect(code, msg).toBe(0)
  return data
}
const shared = async (as = lead) => {
  const { viewNo, version } = await saved(as)
  return (await kit.call(view.share, { viewNo, version, shared: true }, { as })).data
}
const seen = async (as: Person, of = widget) =>
  (await kit.call(view.page, { widget: of, pageSize: 100 }, { as })).data.list
const namesOf = async (as: Person) => (await seen(as)).map(one => one.viewName)

describe('an own view', () => {
  it('comes back as it was saved, for its list only', async () => {
    const made = await saved(grace, { viewName: ' Waiting ' })
    expect(made).toMatchObject({
      ...look,
      widget,
      viewName: 'Waiting',
      shared: false,
      isDefault: false,
      mine: true,
      ownerName: 'Grace',
      version: 0,
    })
    expect(await seen(grace)).toContainEqual(made)
    expect(await seen(grace, 'mkopo-audit-order-management')).toEqual([])
  })

  it('has a name of its own for its list, in whatever letters, also when two are saved at once', async () => {
    const [one, two] = await Promise.all([saveAs(grace, { viewName: 'Late' }), saveAs(grace, { viewName: 'late' })])
    expect([one.code, two.code].sort()).toEqual([0, 40001])
    const refused = await saveAs(grace, { viewName: 'LATE' })
    expect(refused.msg).toBe('You already have a view named “LATE”')
    expect(refused.data).toMatchObject({ fields: [{ path: 'viewName' }] })
    await saved(lead, { viewName: 'Late' })
    await saved(grace, { viewName: 'Late', widget: 'mkopo-portal-home' })
  })

  it('is replaced whole, and renamed, by a person who saw its newest version', async () => {
    const { viewNo, version } = await saved(grace)
    const next = { viewNo, version, viewName: 'Renamed', filters: {}, columns: ['orderNo'], sort: 'orderNo' }
    const { data } = await kit.call(view.save, { ...next, density: null }, { as: grace })
    expect(data).toMatchObject({ ...next, density: null, version: 1 })
    const stale = await kit.call(view.save, { ...next, density: null, viewName: 'Lost' }, { as: grace })
    expect(stale).toMatchObject({ code: 40902, data: { version: 1 } })
    const taken = await saved(grace)
    const clash = await kit.call(
      view.save,
      { ...next, density: null, version: 1, viewName: taken.viewName },
      { as: grace },
    )
    expect(clash.code).toBe(40001)
    expect(await namesOf(grace)).toContain('Renamed')
  })

  it('is gone when it was deleted, its default with it', async () => {
    const { viewNo, version } = await saved(grace)
    await kit.call(view.setDefault, { widget, viewNo }, { as: grace })
    expect((await kit.call(view.remove, { viewNo, version: 9 }, { as: grace })).code).toBe(40902)
    expect((await kit.call(view.remove, { viewNo, version }, { as: grace })).code).toBe(0)
    expect((await kit.call(view.remove, { viewNo, version }, { as: grace })).code).toBe(40401)
    expect((await seen(grace)).filter(one => one.isDefault)).toEqual([])
  })

  it('keeps no value of a customer', async () => {
    for (const name of ['phone', 'idNumber', 'bankCardNo', 'walletAccount', 'customerName']) {
      const refused = await saveAs(grace, { filters: { [name]: '256772345678' } })
      expect(refused.code, name).toBe(40001)
      expect(refused.msg).toMatch(/does not keep a customer’s phone/)
    }
  })

  it('belongs to a list that its owner may open', async () => {
    const refused = [
      await saveAs(grace, { widget: 'mkopo-after-loan-loan-management' }),
      await saveAs(grace, { widget: 'no-such-list' }),
    ]
    expect(refused.map(answer => answer.code)).toEqual([40001, 40001])
    await saved(grace, { widget: `${widget}/done` })
  })

  it('is one of thirty at most', async () => {
    const busy = await kit.person({ perms: page })
    for (let n = 0; n < viewCaps.own; n++) await saved(busy)
    expect(await saveAs(busy)).toMatchObject({ code: 41001, msg: expect.stringContaining('at most 30') })
    await saved(busy, { widget: 'mkopo-portal-home' })
  })
})

describe('the view of somebody else', () => {
  it('is not there for others, whatever they try', async () => {
    const { viewNo, version } = await saved(grace, { viewName: 'Secret' })
    expect(await namesOf(lead)).not.toContain('Secret')
    const tries = [
      await kit.call(view.save, { ...look, viewNo, version, viewName: 'Mine now' }, { as: lead }),
      await kit.call(view.remove, { viewNo, version }, { as: lead }),
      await kit.call(view.share, { viewNo, version, shared: true }, { as: lead }),
      await kit.call(view.setDefault, { widget, viewNo }, { as: lead }),
    ]
    expect(tries.map(({ code }) => code)).toEqual([40401, 40401, 40401, 40401])
    expect((await seen(grace)).find(one => one.viewNo === viewNo)).toMatchObject({ viewName: 'Secret', version: 0 })
  })

  it('can be used but not changed once it is shared', async () => {
    const { viewNo, version, viewName } = await shared()
    expect((await seen(grace)).find(one => one.viewNo === viewNo)).toMatchObject({
      viewName,
      shared: true,
      mine: false,
      ownerName: 'Ruth',
    })
    const refused = [
      await kit.call(view.save, { ...look, viewNo, version, viewName: 'Mine now' }, { as: grace }),
      await kit.call(view.remove, { viewNo, version }, { as: grace }),
    ]
    for (const answer of refused)
      expect(answer).toMatchObject({ code: 40301, msg: 'This view belongs to Ruth; only they can change it' })
  })

  it('is shared inside the company only', async () => {
    const stranger = await kit.person({ perms: page, dept: 'D9' })
    const { viewNo } = await shared()
    expect(await seen(stranger)).toEqual([])
    expect((await kit.call(view.setDefault, { widget, viewNo }, { as: stranger })).code).toBe(40401)
  })
})

describe('sharing', () => {
  it('needs view:share, for changes of what is shared too', async () => {
    const own = await saved(grace)
    const given = { viewNo: own.viewNo, version: 0, shared: true }
    expect((await kit.call(view.share, given, { as: grace })).code).toBe(40301)
    const made = await shared()
    const taken = sql`delete from role_menu where role_no = ${`R${lead.userNo}`} and menu_no like '%-1'`
    await kit.db.withTx(tx => tx.exec(taken))
    const change = { ...look, viewNo: made.viewNo, version: made.version, viewName: 'For all' }
    expect((await kit.call(view.save, change, { as: lead })).code).toBe(40301)
    await kit.db.withTx(tx =>
      tx.exec(sql`insert into role_menu (role_no, menu_no) values (${`R${lead.userNo}`}, ${`N${lead.userNo}-1`})`),
    )
    expect((await kit.call(view.save, change, { as: lead })).code).toBe(0)
  })

  it('ends when its owner says so, and with it what others start with', async () => {
    const { viewNo, version } = await shared()
    await kit.call(view.setDefault, { widget, viewNo }, { as: grace })
    expect((await seen(grace)).find(one => one.isDefault)?.viewNo).toBe(viewNo)
    expect((await kit.call(view.share, { viewNo, version, shared: false }, { as: lead })).code).toBe(0)
    expect((await seen(grace)).some(one => one.viewNo === viewNo || one.isDefault)).toBe(false)
  })
})

describe('the default', () => {
  it('is one per person and list, and can be taken back', async () => {
    const [one, two] = [await saved(grace), await saved(grace)]
    const defaults = async () => (await seen(grace)).filter(found => found.isDefault).map(found => found.viewNo)
    await kit.call(view.setDefault, { widget, viewNo: one.viewNo }, { as: grace })
    await kit.call(view.setDefault, { widget, viewNo: two.viewNo }, { as: grace })
    expect(await defaults()).toEqual([two.viewNo])
    expect((await seen(lead)).filter(found => found.isDefault)).toEqual([])
    await kit.call(view.setDefault, { widget, viewNo: null }, { as: grace })
    expect(await defaults()).toEqual([])
  })

  it('is a view of that list', async () => {
    const { viewNo } = await saved(grace)
    expect((await kit.call(view.setDefault, { widget: 'mkopo-portal-home', viewNo }, { as: grace })).code).toBe(40001)
  })
})

it('nobody without a session sees a view', async () => {
  expect((await kit.call(view.page, { widget })).code).toBe(-10)
})

it('writes down who did what to which view, without its filters', async () => {
  const { viewNo, version } = await saved(lead, { viewName: 'Written down' })
  await kit.call(view.share, { viewNo, version, shared: true }, { as: lead })
  await kit.call(view.remove, { viewNo, version: 1 }, { as: lead })
  const lines = await kit.db.read(tx =>
    tx.rows(
      sql<{ action: string; before: object | null; after: object | null }>`
        select action, before, after from audit_log where object_no = ${viewNo} order by audit_no`,
    ),
  )
  const named = { widget, viewName: 'Written down' }
  expect(lines).toEqual([
    { action: 'view.saveAs', before: null, after: named },
    { action: 'view.share', before: { ...named, shared: false }, after: { ...named, shared: true } },
    { action: 'view.remove', before: { ...named, shared: true }, after: null },
  ])
})
