import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { nameLists } from '../../../../core/contract/risk/name-list.ts'
import { approvalModule } from '../../../approval/approval.ts'
import { configSuite } from '../../../testing/config-suite.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { readyFile } from '../../../testing/ready-file.ts'
import { nameListModule } from './name-list.ts'

type Values = Record<string, unknown>
type Answer = { code: number; msg: string; data: Values & { list: Values[] } }
const { nameList, common } = contract
const module_ = nameListModule()
const own = ['page', 'save', 'enable', 'delete', 'item', 'remove'].map(action => `risk:list:${action}`)
const checks = ['risk:list:item:check', 'risk:list:remove:check']
const list = (change: Values = {}) => ({
  nameListName: 'Fraud phones',
  listKind: 'grey',
  dimension: 'phone',
  listEffect: 'review',
  defaultMonths: 12,
  ...change,
})

configSuite(nameLists as never, {
  modules: [module_],
  fresh: n => list({ nameListName: `List ${n}` }),
  changed: { listEffect: 'flag', defaultMonths: 6 },
  differs: 'defaultMonths',
})

let kit: Kit
let maker: Person
let checker: Person
let made = 0
const ask = async (endpoint: unknown, input: Values, as = maker) =>
  (await kit.call(endpoint as Endpoint, input as never, { as, language: 'en' })) as unknown as Answer
const newList = async (change: Values = {}) => {
  const { data, ...said } = await ask(nameList.save, list({ nameListName: `Own ${++made}`, ...change }))
  expect(said).toMatchObject({ code: 0 })
  await ask(nameList.state, { nameListNo: data.key, enabled: true, version: 0 })
  return String(data.key)
}
const add = (nameListNo: string, values: string, change: Values = {}) =>
  ask(nameList.add, { nameListNo, values, reasonCode: 'fraud', ...change })
const entries = async (filters: Values = {}) => (await ask(nameList.items, filters)).data.list
const approve = (approvalNo: unknown) => ask(common.approve, { approvalNo, version: 0 }, checker)

beforeAll(async () => {
  kit = await openKit({ modules: [module_, approvalModule(module_.approvals ?? [])] })
  maker = await kit.person({ perms: own, name: 'Maker' })
  checker = await kit.person({ perms: [...own, ...checks], name: 'Checker' })
})
afterAll(() => kit.close())

describe('entries of a list', () => {
  it('are added value by value, each with its outcome', async () => {
    const nameListNo = await newList()
    await add(nameListNo, '256772000001')
    const { data } = await add(nameListNo, '256 772 000 001\n256772000002\n256772000002\nCM92012345ABCD\n0772')
    expect((data.results as Values[]).map(one => one.outcome)).toEqual(['exists', 'added', 'format', 'format'])
    const rows = await entries({ nameListNo })
    expect(rows.map(row => row.displayValue).sort()).toEqual(['25********01', '25********02'])
    expect(rows[0]).toMatchObject({ itemStatus: 'active', createdBy: 'Maker', listSource: 'manual' })
  })

  it('are kept sealed, and found by the whole value alone', async () => {
    const nameListNo = await newList()
    await add(nameListNo, '256772000011')
    const kept = await kit.db.read(tx =>
      tx.one(
        sql<{ row: string }>`select to_jsonb(i)::text as row from name_list_item i where name_list_no = ${nameListNo}`,
      ),
    )
    expect(kept.row).not.toContain('772000011')
    expect(await entries({ listValue: '256772000011' })).toHaveLength(1)
    expect(await entries({ listValue: '25677200001' })).toHaveLength(0)
  })

  it('of a black list rest on evidence, and leave it with a second person', async () => {
    const nameListNo = await newList({ listKind: 'black', listEffect: 'refuse' })
    expect((await add(nameListNo, '256772000021')).code).toBe(40001)
    const evidenceFile = await readyFile(kit.db, maker.userNo)
    expect((await add(nameListNo, '256772000021', { evidenceFile })).code).toBe(0)
    const [row] = await entries({ nameListNo })
    const { data } = await ask(nameList.itemDetail, { itemNo: row?.itemNo })
    expect(data).toMatchObject({ evidence: { uploadNo: evidenceFile }, list: [{ nameListName: row?.nameListName }] })
    expect(
      await kit.db.read(tx => tx.rows(sql`select rests_on from attachment where upload_no = ${evidenceFile}`)),
    ).toEqual([{ restsOn: 'item.add' }])
    await ask(nameList.removeItems, { itemNos: [row?.itemNo], reason: 'another person' })
    const later = { itemNos: [row?.itemNo], expireTime: '2028-01-01T00:00:00Z' }
    expect((await ask(nameList.extend, later)).data).toMatchObject({ ok: 0, fail: 1 })
    expect((await entries({ nameListNo }))[0]).toMatchObject({ itemStatus: 'active', pendingApproval: 'Maker' })
    const { approvalNo } = await kit.db.read(tx =>
      tx.one(sql<{ approvalNo: string }>`select approval_no from approval where object_no = ${row?.itemNo}`),
    )
    expect((await approve(approvalNo)).data).toMatchObject({ approvalStatus: 'executed' })
    expect((await entries({ nameListNo }))[0]).toMatchObject({ itemStatus: 'removed' })
  })

  it('of a white list wait for a second person; on both, black wins and it is said', async () => {
    const white = await newList({ listKind: 'white', listEffect: 'skip' })
    const asked = await add(white, '256772000021\n256772000022')
    expect(asked.data.results).toEqual([
      { value: '256772000021', outcome: 'waits' },
      { value: '256772000022', outcome: 'waits' },
    ])
    expect(await entries({ nameListNo: white })).toEqual([])
    await approve(asked.data.approvalNo)
    expect(await entries({ nameListNo: white })).toHaveLength(2)
    const black = await newList({ listKind: 'black', listEffect: 'review' })
    await add(black, '256772000022', { evidenceFile: await readyFile(kit.db, maker.userNo) })
    const { data } = await ask(nameList.lookup, { dimension: 'phone', listValue: '256 772 000 022' })
    expect(data).toMatchObject({ conflict: true })
    expect(data.list.map(one => one.listKind).sort()).toEqual(['black', 'white'])
    expect((await entries({ nameListNo: black }))[0]).toMatchObject({ conflict: true })
  })

  it('end, and are extended to a time ahead', async () => {
    const nameListNo = await newList()
    const soon = new Date(kit.clock.now().getTime() + 600_000).toISOString()
    expect((await add(nameListNo, '256772000031', { expireTime: '2020-01-01T00:00:00Z' })).code).toBe(40001)
    await add(nameListNo, '256772000031', { expireTime: soon })
    kit.clock.advance(1_200_000)
    const expire = module_.scheduled?.find(one => one.job === 'listExpire')
    expect(await kit.db.withTx(async tx => expire?.run(tx, { date: tx.today }))).toEqual({ expired: 1 })
    const [row] = await entries({ nameListNo })
    expect(row).toMatchObject({ itemStatus: 'expired' })
    const extended = (expireTime: string) => ask(nameList.extend, { itemNos: [row?.itemNo], expireTime })
    expect((await extended(soon)).data).toMatchObject({ ok: 0, fail: 1 })
    expect((await extended('2040-01-01T00:00:00Z')).data).toMatchObject({ ok: 0, fail: 1 })
    expect((await extended('2027-01-01T00:00:00Z')).data).toMatchObject({ ok: 1 })
    expect((await entries({ nameListNo }))[0]).toMatchObject({ itemStatus: 'active' })
    // To let an entry end at once would be to take it away without the second person.
    expect((await extended('2026-12-31T00:00:00Z')).data).toMatchObject({ ok: 0, fail: 1 })
  })

  it('that have ended do not come back beside the same value', async () => {
    const nameListNo = await newList()
    await add(nameListNo, '256772000061', { expireTime: new Date(kit.clock.now().getTime() + 600_000).toISOString() })
    const [old] = await entries({ nameListNo })
    kit.clock.advance(1_200_000)
    const expire = module_.scheduled?.find(one => one.job === 'listExpire')
    await kit.db.withTx(async tx => expire?.run(tx, { date: tx.today }))
    await add(nameListNo, '256772000061')
    const input = { itemNos: [old?.itemNo], expireTime: '2028-01-01T00:00:00Z' }
    expect((await ask(nameList.extend, input)).data).toMatchObject({ ok: 0, fail: 1 })
    const { data } = await ask(nameList.itemDetail, { itemNo: old?.itemNo })
    expect(data).toMatchObject({ evidence: null, list: [{ itemStatus: 'active' }, { itemStatus: 'expired' }] })
  })

  it('of a list that is fed are neither added nor taken away by hand', async () => {
    const nameListNo = await newList({ dimension: 'customerNo' })
    await kit.db.withTx(tx => tx.exec(sql`update name_list set feed_key = 'late60' where name_list_no = ${nameListNo}`))
    expect((await add(nameListNo, 'CU12345')).code).toBe(40901)
  })
})

describe('lists', () => {
  it('have an effect that fits their kind', async () => {
    for (const [listKind, listEffect] of [
      ['white', 'refuse'],
      ['black', 'skip'],
      ['grey', 'refuse'],
    ])
      expect((await ask(nameList.save, list({ nameListName: 'X', listKind, listEffect }))).code).toBe(40001)
    const nameListNo = await newList()
    const { version } = (await ask(nameList.detail, { nameListNo })).data
    const wrong = { nameListNo, version, nameListName: 'Y', listEffect: 'refuse', defaultMonths: 12 }
    expect((await ask(nameList.save, wrong)).code).toBe(40001)
  })

  it('of another merchant are not there, and lists for all are not changed by a merchant', async () => {
    const [theirs, all] = [await newList({ merchantNo: 'M1' }), await newList()]
    const ofTwo = await kit.person({ perms: own, merchants: ['M2'], limit: 'own_merchants', nature: 'merchant' })
    expect((await ask(nameList.detail, { nameListNo: theirs }, ofTwo)).code).toBe(40401)
    const input = { values: '256772000041', reasonCode: 'other' }
    expect((await ask(nameList.add, { nameListNo: theirs, ...input }, ofTwo)).code).toBe(40401)
    expect((await ask(nameList.add, { nameListNo: all, ...input }, ofTwo)).code).toBe(40301)
    const white = await newList({ merchantNo: 'M1', listKind: 'white', listEffect: 'skip' })
    const { approvalNo } = (await add(white, '256772000042')).data
    const decided = async (merchants: string[]) => {
      const perms = [...own, ...checks]
      const by = await kit.person({ perms, merchants, limit: 'own_merchants', nature: 'merchant' })
      return ask(common.approve, { approvalNo, version: 0 }, by)
    }
    expect((await decided(['M2'])).code).toBe(40401)
    expect((await decided(['M1'])).data).toMatchObject({ approvalStatus: 'executed' })
  })
})
