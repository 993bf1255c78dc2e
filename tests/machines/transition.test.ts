import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { absent, can, eventsOf, type Machine, type Row } from '../../core/rules/machines/machine.ts'
import { type MachineName, machines } from '../../core/rules/machines/machines.ts'
import type { Tx } from '../../server/db/database.ts'
import type { DB } from '../../server/db/types.gen.ts'
import { instances } from '../../server/invariants/machine-tables.ts'
import type { Actor } from '../../server/rights/actor.ts'
import { create, transition } from '../../server/states/transition.ts'
import { all as known } from '../../server/testing/all-facts.ts'
import { type Kit, openKit } from '../../server/testing/kit.ts'
import { wipe } from '../../server/testing/wipe.ts'

type Held = Record<string, unknown> & { version: number }

const actor: Actor = { no: 'U1', name: 'Grace', requestId: 'request-of-this', ip: null }
const remembered = 'machine_refused'
/** The platform moves its own with leases; `transition()` moves the others. */
const all = (Object.entries(machines) as [MachineName, Machine][])
  .filter(([, { leased }]) => !leased)
  .map(([name, m]) => ({ name, m }))
const valuesOf = (name: MachineName) => {
  const { row } = known.machines[name] ?? {}
  if (!row)
    throw new Error(`no facts of the machine ${name}: give the row that its table takes in the facts of its noun`)
  return row
}

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
const keyOf = (name: MachineName, m: Machine) => String(valuesOf(name)[camel(m.key)])

/** What makes a second row where the first one stays: emptying the table would take along what the row itself names. */
const second: { [name in MachineName]?: Record<string, string> } = {
  order: { orderNo: 'LO2', thirdOrderNo: 'T2' },
  userAccount: { userNo: 'UA2', loginId: 'ua2' },
  employee: { userNo: 'UE2', loginId: 'ue2' },
}

class Undo extends Error {}

let kit: Kit
beforeAll(async () => {
  kit = await openKit({ handmade: true, modules: [] })
  await kit.db.withTx(async tx => {
    for (const write of known.around) await write(tx)
    for (const { name, m } of all) {
      const row = { ...valuesOf(name), [camel(m.status)]: Object.keys(m.states)[0] }
      const columns = Object.keys(row).map(column =>
        sql.ref(column.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)),
      )
      await tx.exec(
        sql`insert into ${sql.table(m.table)} (${sql.join(columns)}) values (${sql.join(Object.values(row))})`,
      )
    }
  })
})
afterAll(() => kit.close())

/** Runs in a transaction of which nothing remains, so that each case begins with the same rows. */
const undone = async (act: (tx: Tx) => Promise<void>): Promise<void> => {
  const run = kit.db.withTx(async tx => {
    await act(tx)
    throw new Undo()
  })
  await run.catch(error => {
    if (!(error instanceof Undo)) throw error
  })
}

const load = (tx: Tx, name: MachineName, m: Machine, no = keyOf(name, m)) =>
  tx.one(sql<Held>`select * from ${sql.table(m.table)} where ${sql.ref(m.key)} = ${no} for update`)

const putInto = async (tx: Tx, name: MachineName, m: Machine, state: string): Promise<Held> => {
  await tx.exec(sql`
    update ${sql.table(m.table)} set ${sql.ref(m.status)} = case when set_config('app.transition', 'on', true) = 'on' then ${state} end
    where ${sql.ref(m.key)} = ${keyOf(name, m)} and ${sql.ref(m.status)} <> ${state}`)
  return load(tx, name, m)
}

const history = async (tx: Tx) => {
  await tx.flush()
  return tx.rows(
    sql<
      Record<string, unknown>
    >`select machine, object_no, event, from_state, to_state, actor, request_id, payload from state_transition where request_id not in ('installation', 'fixture')`,
  )
}

const whereTo = (row: Row, from: string) => (row.to === '=' ? from : row.to.startsWith('=') ? remembered : row.to)

describe.each(all)('$name', ({ name, m }) => {
  const legal = m.rows
    .filter(row => !row.refused)
    .flatMap(row =>
      Object.keys(m.states)
        .filter(from => row.from.includes(from))
        .map(from => ({ from, row })),
    )
  const illegal = Object.keys(m.states).flatMap(from =>
    eventsOf(m)
      .filter(event => !can(m, from, event))
      .map(event => ({ from, event })),
  )

  it(`moves along its ${legal.length} legal rows, one version and one line of history each`, async () => {
    for (const { from, row } of legal) {
      await undone(async tx => {
        const payload = { because: row.event }
        const move = { event: row.event, as: row.as, to: remembered, payload }
        const to = whereTo(row, from)
        const before = await putInto(tx, name, m, from)
        const moved = await transition(tx, name, before, move, actor)
        const after = await load(tx, name, m)
        expect(after, `${from} ${row.event}`).toEqual({ ...before, [camel(m.status)]: to, version: before.version + 1 })
        expect(moved).toEqual(after)
        expect(await history(tx)).toEqual([
          {
            machine: m.id,
            objectNo: keyOf(name, m),
            event: row.event,
            fromState: from,
            toState: to,
            actor: 'U1',
            requestId: 'request-of-this',
            payload,
          },
        ])
      })
    }
  })

  it(`refuses ${illegal.length} illegal pairs with 40901 and the present state, and leaves row and history`, async () => {
    await undone(async tx => {
      for (const from of Object.keys(m.states)) {
        const before = await putInto(tx, name, m, from)
        for (const { event } of illegal.filter(one => one.from === from)) {
          const given = { event, to: remembered, set: { version: 99 } }
          const refusal = await transition(tx, name, before, given, actor).catch((error: unknown) => error)
          expect(refusal, `${from} ${event}`).toMatchObject({
            code: 40901,
            key: 'errors.stateChanged',
            data: { status: from },
          })
        }
        expect(await load(tx, name, m), from).toEqual(before)
      }
      expect(await history(tx)).toEqual([])
    })
  })

  it('refuses an event that no machine has, and a guard that no row has', () =>
    undone(async tx => {
      for (const from of Object.keys(m.states)) {
        const before = await putInto(tx, name, m, from)
        for (const event of ['no.such', '', 'constructor'])
          await expect(transition(tx, name, before, { event }, actor), from).rejects.toMatchObject({ code: 40901 })
        for (const { row } of legal.filter(one => one.from === from && one.row.as))
          await expect(
            transition(tx, name, before, { event: row.event, as: 'no such guard' }, actor),
          ).rejects.toMatchObject({ code: 40901 })
        expect(await load(tx, name, m)).toEqual(before)
      }
      expect(await history(tx)).toEqual([])
    }))

  it('leaves neither the state nor its line when the transaction fails afterwards', async () => {
    const { from, row } = legal.find(one => whereTo(one.row, one.from) !== one.from)!
    const before = await kit.db.withTx(tx => load(tx, name, m))
    await undone(async tx => {
      const held = await putInto(tx, name, m, from)
      await transition(tx, name, held, { event: row.event, as: row.as, to: remembered }, actor)
      expect(await history(tx)).toHaveLength(1)
    })
    expect(await kit.db.withTx(async tx => [await load(tx, name, m), await history(tx)])).toEqual([before, []])
  })

  it('begins with the events that begin it, and with no other', async () => {
    const beginnings = m.rows.filter(row => row.from.includes(absent))
    await undone(async tx => {
      for (const event of eventsOf(m).filter(one => !beginnings.some(row => row.event === one)))
        await expect(create(tx, name, valuesOf(name), { event }, actor), event).rejects.toMatchObject({ code: 40901 })
      expect(await history(tx)).toEqual([])
    })
    for (const { event, as, to } of beginnings) {
      await undone(async tx => {
        const fresh = { ...valuesOf(name), ...second[name] }
        if (!second[name]) await wipe(tx, camel(m.table) as keyof DB)
        await create(tx, name, fresh, { event, as }, actor)
        const no = String(fresh[camel(m.key)])
        expect(await load(tx, name, m, no)).toMatchObject({ [camel(m.status)]: to, version: 0 })
        expect(await history(tx)).toEqual([
          {
            machine: m.id,
            objectNo: no,
            event,
            fromState: absent,
            toState: to,
            actor: 'U1',
            requestId: 'request-of-this',
            payload: null,
          },
        ])
      })
    }
  })

  it('cannot be moved with a row that was read before another change', () =>
    undone(async tx => {
      const { from, row } = legal[0]!
      const seen = await putInto(tx, name, m, from)
      await tx.exec(
        sql`update ${sql.table(m.table)} set version = version + 1 where ${sql.ref(m.key)} = ${keyOf(name, m)}`,
      )
      const move = { event: row.event, as: row.as, to: remembered }
      await expect(transition(tx, name, seen, move, actor)).rejects.toMatchObject({
        code: 40902,
        key: 'errors.recordChanged',
      })
      expect(await history(tx)).toEqual([])
    }))

  it('asks which row applies where a guard chooses between several', async () => {
    for (const { from, row } of legal.filter(one => one.row.as)) {
      const rows = legal.filter(one => one.from === from && one.row.event === row.event).map(one => one.row)
      const named = rows.filter(one => one.as).map(one => one.as)
      await undone(async tx => {
        const held = await putInto(tx, name, m, from)
        const moved = transition(tx, name, held, { event: row.event, to: remembered }, actor)
        if (rows.length === named.length) await expect(moved, from).rejects.toMatchObject({ code: 40901 })
        else expect(await moved, from).toMatchObject({ version: held.version + 1 })
        expect(await history(tx)).toHaveLength(rows.length - named.length)
      })
    }
  })

  it('leads to a remembered state only where one is named that it has', async () => {
    for (const { from, row } of legal.filter(one => /^=./.test(one.row.to))) {
      await undone(async tx => {
        const held = await putInto(tx, name, m, from)
        const move = { event: row.event, as: row.as }
        await expect(transition(tx, name, held, move, actor)).rejects.toThrow('leads to a remembered state')
        await expect(transition(tx, name, held, { ...move, to: 'nowhere' }, actor)).rejects.toThrow('no state nowhere')
        expect(await history(tx)).toEqual([])
      })
    }
  })

  it('cannot be moved by an UPDATE, not even after a transition in the same transaction', async () => {
    const [first, other] = Object.keys(m.states)
    const update = (tx: Tx) =>
      tx.exec(
        sql`update ${sql.table(m.table)} set ${sql.ref(m.status)} = case when ${sql.ref(m.status)} = ${first} then ${other} else ${first} end where ${sql.ref(m.key)} = ${keyOf(name, m)}`,
      )
    await expect(kit.db.withTx(update)).rejects.toThrow(/changed by transition\(\) only/)
    const { from, row } = legal[0]!
    const after = kit.db.withTx(async tx => {
      const held = await putInto(tx, name, m, from)
      await transition(tx, name, held, { event: row.event, as: row.as, to: remembered }, actor)
      await update(tx)
    })
    await expect(after).rejects.toThrow(/changed by transition\(\) only/)
  })
})

it('changes columns with the state', () =>
  undone(async tx => {
    const m: Machine = machines.loanCode
    const before = await putInto(tx, 'loanCode', m, 'remitting')
    const move = { event: 'gateway.failure', set: { failType: 'other', failReason: 'refused' } }
    const moved = await transition(tx, 'loanCode', before, move, actor)
    expect(moved).toMatchObject({ loanCodeStatus: 'failed', failType: 'other', failReason: 'refused' })
    expect(await load(tx, 'loanCode', m)).toEqual(moved)
  }))

it('guards the status of every machine but those that the platform moves itself', async () => {
  const guarded = await kit.db.read(tx =>
    tx.rows(sql<{ name: string }>`
      select c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid where p.proname = 'guard_status' order by 1`),
  )
  expect(guarded.map(row => row.name)).toEqual(
    [...all.map(({ m }) => m.table), ...new Set(instances.map(m => m.table))].sort(),
  )
})

it('guards every other column of a table that is called a status, where its noun does not say what writes it', async () => {
  const columns = await kit.db.read(tx =>
    tx.rows(sql<{ name: string }>`
      select c.table_name || '.' || c.column_name as name from information_schema.columns c
      where c.table_schema = current_schema() and c.column_name like '%\\_status'
        and c.table_name in (select tablename from pg_tables where schemaname = current_schema()) and not exists (
        select 1 from pg_trigger t join pg_class r on r.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
        where p.proname = 'guard_status' and r.relname = c.table_name and pg_get_triggerdef(t.oid) like '%''' || c.column_name || '''%')
      order by 1`),
  )
  const leased = Object.values<Machine>(machines).filter(m => m.leased)
  const expected = [...Object.keys(known.unguarded), ...leased.map(m => `${m.table}.${m.status}`)]
  expect(columns.map(row => row.name)).toEqual(expected.sort())
})
