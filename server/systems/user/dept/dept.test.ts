import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { InputOf } from '../../../../core/contract/endpoint.ts'
import type { DeptNode } from '../../../../core/contract/user/dept.ts'
import { flat } from '../../../../core/rules/tree.ts'
import { openKit, type Person } from '../../../testing/kit.ts'
import { deptModule } from './dept.ts'

const { dept } = contract
const codes = ['dept:page', 'dept:save', 'dept:delete', 'user:page']
let kit: Awaited<ReturnType<typeof openKit>>
let admin: Person
let named = 0

beforeAll(async () => {
  kit = await openKit({ modules: [deptModule()] })
  admin = await kit.person({ perms: codes, dept: 'D0' })
})
afterAll(() => kit.close())

const rows = <T>(query: ReturnType<typeof sql>) => kit.db.read(tx => tx.rows(query as never)) as Promise<T[]>
const tree = async (as = admin, of: 'departments' | 'people' = 'departments') =>
  (await kit.call(dept.tree, { of }, { as })).data.list
const node = async (deptNo: string) => flat(await tree()).find(one => one.deptNo === deptNo) as DeptNode
const save = (given: Partial<InputOf<typeof dept.save>>, as = admin) =>
  kit.call(
    dept.save,
    { deptName: `Team ${++named}`, deptNature: 'headquarters', orgNo: 'O0', sort: 1, ...given } as never,
    { as },
  )
const make = async (parentNo: string | undefined, given: Partial<InputOf<typeof dept.save>> = {}): Promise<string> =>
  String((await save({ ...(parentNo ? { parentNo } : {}), ...given })).data.deptNo)
const move = async (deptNo: string, parentNo: string | undefined, as = admin) =>
  kit.call(dept.move, { deptNo, version: (await node(deptNo)).version, ...(parentNo ? { parentNo } : {}) }, { as })

describe('a department', () => {
  it('gets a number, or the one that is typed, once', async () => {
    expect(await make('D1')).toMatch(/^DP/)
    expect(await make('D1', { deptNo: 'KLA-1' })).toBe('KLA-1')
    expect(await save({ parentNo: 'D2', deptNo: 'KLA-1' })).toMatchObject({
      code: 40001,
      msg: 'Data already exists',
      data: { fields: [{ path: 'deptNo' }] },
    })
    expect((await save({ parentNo: 'D2', deptNo: 'ABC DEF' })).code).toBe(40001)
    expect((await save({ parentNo: 'D2', deptNo: 'A'.repeat(21) })).code).toBe(40001)
  })

  it('has a name, that no neighbour has in any case', async () => {
    await make('D1', { deptName: 'Night team' })
    expect(await save({ parentNo: 'D1', deptName: 'NIGHT team' })).toMatchObject({
      code: 40001,
      msg: 'Data already exists',
    })
    expect((await save({ parentNo: 'D2', deptName: 'Night team' })).code).toBe(0)
    expect(await save({ parentNo: 'D1', deptName: '  ' })).toMatchObject({ msg: 'The content cannot be empty' })
    expect((await save({ parentNo: 'D1', sort: 0 })).code).toBe(40001)
  })

  it('is changed by who has seen it as it is, and both values are in the log', async () => {
    const deptNo = await make('D1', { deptName: 'Old name' })
    const change = { deptNo, version: 0, deptName: 'New name' }
    expect((await save(change)).data).toEqual({ deptNo, version: 1 })
    expect((await save(change)).code).toBe(40902)
    const [line] = await rows<{ before: object; after: object }>(
      sql`select before, after from audit_log where object_type = 'dept' and object_no = ${deptNo} order by audit_no desc limit 1`,
    )
    expect(line).toMatchObject({ before: { deptName: 'Old name' }, after: { deptName: 'New name' } })
  })

  it('is led by somebody who works in it or below it', async () => {
    const top = await make('D2')
    const team = await make(top)
    const near = await kit.person({ perms: [], dept: team })
    const far = await kit.person({ perms: [], dept: 'D1' })
    const lead = (leaderNo: string) => save({ deptNo: top, version: 0, leaderNo })
    expect(await lead(far.userNo)).toMatchObject({ code: 40001, data: { fields: [{ path: 'leaderNo' }] } })
    expect((await lead(near.userNo)).code).toBe(0)
    expect((await node(top)).leaderName).toBe(`Person ${near.userNo}`)
  })

  it('of a merchant or an agency holds none of the headquarters, however deep', async () => {
    const agency = await make('D0', { deptNature: 'outsourced' })
    expect((await save({ parentNo: agency, deptNature: 'headquarters' })).code).toBe(40001)
    const floor = await make(agency, { deptNature: 'support' })
    expect((await save({ parentNo: floor, deptNature: 'headquarters' })).code).toBe(40001)
    const holder = await make('D0', { deptNature: 'support' })
    await make(holder, { deptNature: 'headquarters' })
    expect((await save({ deptNo: holder, version: 0, deptNature: 'merchant' })).code).toBe(40001)
    expect((await move(holder, agency)).code).toBe(40001)
  })
})

describe('the tree', () => {
  it('refuses a department below itself, and two moves that would make a circle together', async () => {
    const a = await make('D0')
    const b = await make(a)
    expect(await move(a, a)).toMatchObject({ code: 40001, data: { fields: [{ path: 'parentNo' }] } })
    expect(await move(a, b)).toMatchObject({
      code: 40001,
      msg: 'A department cannot be moved to itself or below itself',
    })
    const c = await make('D0')
    const both = await Promise.all([move(b, c), move(c, b)])
    expect(both.map(one => one.code).sort()).toEqual([0, 40001])
  })

  it('is at most eight levels deep, however a department gets there: a hundred are refused', async () => {
    const chain = ['D0']
    let refused = 0
    for (let n = 0; n < 100; n++) {
      const answer = await save({ parentNo: chain.at(-1) as string })
      if (answer.code === 0) chain.push(answer.data.deptNo)
      else refused++
    }
    expect([chain.length, refused]).toEqual([8, 93])
    expect((await save({ parentNo: chain.at(-1) as string })).msg).toBe(
      'The tree of departments has a depth of 8 at most',
    )
    const other = await make('D0')
    await make(other)
    expect((await move(other, chain[6])).code).toBe(40001)
    expect((await move(other, chain[5])).code).toBe(0)
  })

  it('is shown with its counts, and to others as far as their rule goes, with what stands above', async () => {
    const top = await make('D0')
    const team = await make(top)
    await make(team)
    const lead = await kit.person({ perms: codes, limit: 'dept_below', dept: team })
    expect(await node(top)).toMatchObject({
      subCount: 1,
      subCountBelow: 2,
      userCount: 0,
      userCountBelow: 1,
      name: expect.any(String),
    })
    const seen = flat(await tree(lead))
    expect(seen.map(one => [one.deptNo, one.reached])).toEqual([
      ['D0', false],
      [top, false],
      [team, true],
      [expect.any(String), true],
    ])
    expect(seen[0]).toMatchObject({ userCount: 0, userCountBelow: 1, leaderName: null })
    expect((await save({ parentNo: top }, lead)).code).toBe(40001)
    expect((await save({}, lead)).code).toBe(40001)
    expect((await save({ parentNo: team, deptName: 'Lower' }, lead)).code).toBe(0)
    expect((await save({ deptNo: top, version: 0, deptName: 'Mine' }, lead)).code).toBe(40401)
  })

  it('tells those who see other rows after a move, and says before how many they are', async () => {
    const [from, to] = [await make('D0'), await make('D0')]
    const team = await make(from)
    const watcher = await kit.person({ perms: ['dept:page'], limit: 'dept_below', dept: from })
    await kit.person({ perms: ['dept:page'], limit: 'dept', dept: to })
    const { data } = await kit.call(dept.moveEffect, { deptNo: team, parentNo: to }, { as: admin })
    expect(data).toEqual({ subCountBelow: 0, userCountBelow: 0, concerned: 1 })
    expect(flat(await tree(watcher)).map(one => one.deptNo)).toContain(team)
    expect((await move(team, to)).data).toEqual({ version: 1, concerned: 1 })
    expect(flat(await tree(watcher)).map(one => one.deptNo)).not.toContain(team)
    const events = await rows(
      sql`select 1 from user_event where user_no = ${watcher.userNo} and event = 'perms.changed'`,
    )
    expect(events.length).toBeGreaterThan(0)
  })
})

describe('deleting', () => {
  it('asks to move what it holds first, also those who have left', async () => {
    const top = await make('D0')
    const team = await make(top)
    const version = 0
    const gone = async (deptNo: string) => kit.call(dept.remove, { deptNo, version }, { as: admin })
    await kit.person({ perms: [], dept: team })
    expect(await gone(top)).toMatchObject({ code: 40901, msg: '0 people, 1 sub-departments: move them first' })
    expect(await gone(team)).toMatchObject({ code: 40901, msg: '1 people, 0 sub-departments: move them first' })
    expect((await node(team)).blockedBy['dept.delete']).toMatchObject({ reason: 'errors.deptHolds' })
    const empty = await make(top)
    expect((await gone(empty)).code).toBe(0)
    expect((await gone(empty)).code).toBe(40401)
  })
})
