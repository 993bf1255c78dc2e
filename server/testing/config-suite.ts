import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { common } from '../../core/contract/common/common.ts'
import type { Config } from '../../core/contract/config.ts'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import { approvalModule } from '../approval/approval.ts'
import type { Tx } from '../db/database.ts'
import type { Module } from '../module.ts'
import { type Kit, openKit, type Person } from './kit.ts'

type Values = Record<string, unknown>
type Given = {
  modules: readonly Module[]
  /** What a new item is saved with, another one for each number. */
  fresh: (n: number) => Values
  /** What it is changed to, of the form. */
  changed: Values
  /** A field of the form that then differs. */
  differs: string
  /** Writes what items name, or lifts what keeps many of them from standing side by side. */
  before?: (tx: Tx) => Promise<unknown>
  /** Of a checked config: this change acts at once. */
  actsAtOnce?: true
}
type Answer = { code: number; msg: string; data: Values & { list: Values[] } }

/** What every config list does, over HTTP: each event of its machine, rights, versions, history. */
export const configSuite = (config: Config, { modules, fresh, changed, differs, before, actsAtOnce }: Given): void => {
  const { calls, key, events } = config
  let kit: Kit
  let boss: Person
  let made = 0
  const codes = Object.values(config.codes)
  const create = calls.add ?? calls.save
  let second: Person
  /** Asks, and lets a second person agree to what waits for one. */
  const ask = async (endpoint: Endpoint, input: Values, as = boss, language: 'zh' | 'en' = 'en') => {
    const answer = (await kit.call(endpoint, input as never, { as, language })) as unknown as Answer
    const { approvalNo } = (answer.data ?? {}) as Values
    if (!approvalNo) return answer
    const agreed = await kit.call(common.approve, { approvalNo: String(approvalNo), version: 0 }, { as: second })
    return agreed.code === 0 ? answer : (agreed as unknown as Answer)
  }
  const rows = async (filters: Values = {}) => (await ask(calls.page as never, filters)).data.list
  const add = async (): Promise<{ no: string; version: number; enabled: string; input: Values }> => {
    const input = fresh(++made)
    const answer = await ask(create, input)
    expect(answer, answer.msg).toMatchObject({ code: 0, data: { created: 1, existing: 0 } })
    const [row] = (await rows({ pageSize: 100 })).filter(one => one[key] === answer.data.key)
    return { no: String(row?.[key]), version: Number(row?.version), enabled: String(row?.enabled), input }
  }
  const one = async (no: string) => (await ask(calls.detail as never, { [key]: no })).data
  const put = async (no: string, to: 'enabled' | 'disabled') => {
    const { enabled, version } = await one(no)
    if (enabled !== to) expect((await ask(calls.state, { [key]: no, enabled: to === 'enabled', version })).code).toBe(0)
    return Number((await one(no)).version)
  }
  const events_ = (no: string) =>
    kit.db.read(tx =>
      tx.rows(
        sql<{
          event: string
        }>`select event from state_transition where machine = ${config.machine.id} and object_no = ${no} order by transition_no`,
      ),
    )

  beforeAll(async () => {
    kit = await openKit({ modules: [...modules, approvalModule(modules.flatMap(one => one.approvals ?? []))] })
    await kit.db.withTx(async tx => before?.(tx))
    boss = await kit.person({ perms: codes, name: 'Boss' })
    second = await kit.person({ perms: [...codes, ...codes.map(code => `${code}:check`)], name: 'Second' })
  })
  afterAll(() => kit.close())

  describe(`${config.name}, a config list`, () => {
    it('is created, changed, enabled, disabled and deleted, each with a line of history', async () => {
      const { no, version, input } = await add()
      const form = Object.fromEntries(Object.keys(config.form).map(name => [name, input[name]]))
      expect((await ask(calls.save, { [key]: no, version, ...form, ...changed })).code).toBe(0)
      await put(no, 'enabled')
      const last = await put(no, 'disabled')
      const { data } = await ask(calls.history as never, { [key]: no })
      const change = data.list.find(entry => entry.event === 'item.update') as Values & { changes: Values[] }
      expect(change).toMatchObject({ changedBy: 'Boss', version: version + 1 })
      expect(change.changes).toContainEqual({
        field: differs,
        before: input[differs] === undefined ? null : JSON.stringify(input[differs]),
        after: JSON.stringify(changed[differs]),
      })
      expect((await ask(calls.remove, { [key]: no, version: last })).code).toBe(0)
      expect(await rows({ pageSize: 100 })).not.toContainEqual(expect.objectContaining({ [key]: no }))
      expect((await ask(calls.detail as never, { [key]: no })).code).toBe(40401)
      expect((await events_(no)).map(({ event }) => event)).toEqual(
        expect.arrayContaining(['item.create', 'item.update', 'item.enable', 'item.disable', 'item.delete']),
      )
    })

    it('refuses what its state forbids, with 40901, and changes nothing', async () => {
      const { no } = await add()
      const on = await put(no, 'enabled')
      expect((await ask(calls.state, { [key]: no, enabled: true, version: on })).code).toBe(40901)
      expect((await ask(calls.remove, { [key]: no, version: on })).code).toBe(40901)
      const off = await put(no, 'disabled')
      expect((await ask(calls.state, { [key]: no, enabled: false, version: off })).code).toBe(40901)
      expect((await one(no)).version).toBe(off)
    })

    it('operation 3: refuses a save of an older version, and says who changed it and when', async () => {
      const { no, version, input } = await add()
      const form = Object.fromEntries(Object.keys(config.form).map(name => [name, input[name]]))
      const save = { [key]: no, version, ...form, ...changed }
      expect((await ask(calls.save, save)).code).toBe(0)
      expect(await ask(calls.save, save)).toMatchObject({
        code: 40902,
        msg: 'Changed by Boss at 2026-03-02 10:00',
        data: { version: version + 1 },
      })
    })

    it('of two saves at once takes one', async () => {
      const { no, version, input } = await add()
      const form = Object.fromEntries(Object.keys(config.form).map(name => [name, input[name]]))
      const save = { [key]: no, version, ...form, ...changed }
      const answers = await Promise.all([ask(calls.save, save), ask(calls.save, save)])
      const waits = config.checked === true && !actsAtOnce
      expect(answers.map(answer => answer.code).sort()).toEqual([0, waits ? 40901 : 40902])
    })

    it('takes its code for each event', async () => {
      const { no, version, input } = await add()
      const calling: [Endpoint, Values][] = [
        [calls.page as never, {}],
        [create, fresh(++made)],
        [calls.save, { [key]: no, version, ...input, ...changed }],
        [calls.state, { [key]: no, enabled: false, version }],
        [calls.remove, { [key]: no, version }],
      ]
      for (const [endpoint, values] of calling) {
        const others = await kit.person({ perms: codes.filter(code => code !== endpoint.perm) })
        expect((await ask(endpoint, values, others)).code, endpoint.path).toBe(40301)
      }
      expect((await one(no)).version).toBe(version)
    })

    it('lists what was changed last first, and filters by its status', async () => {
      const [first, second] = [await add(), await add()]
      await put(first.no, 'disabled')
      await put(second.no, 'enabled')
      const of = async (enabled: string) => (await rows({ enabled: [enabled], pageSize: 100 })).map(row => row[key])
      expect(await of('disabled')).toContain(first.no)
      expect(await of('enabled')).toContain(second.no)
      expect(await of('enabled')).not.toContain(first.no)
      expect(events.create.on.event).toBe('item.create')
    })

    it('answers 40401 for what is not there', async () => {
      const none = { [key]: 'NONE' }
      for (const [endpoint, input] of [
        [calls.detail, none],
        [calls.history, none],
        [calls.state, { ...none, enabled: true, version: 0 }],
        [calls.remove, { ...none, version: 0 }],
      ] as never as [Endpoint, Values][])
        expect((await ask(endpoint, input)).code, endpoint.path).toBe(40401)
    })
  })
}
