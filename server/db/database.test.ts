import { sql } from 'kysely'
import { beforeAll, expect, it, vi } from 'vitest'
import { onEachEngine } from '../../tests/databases.ts'
import { movableClock, stoppedClock } from './clock.ts'
import type { Database, Tx } from './database.ts'
import { isLockTimeout, RowMissing, sqlState, TransactionConflict, violatedConstraint } from './faults.ts'
import { json } from './json.ts'
import { keepClock, restoreClock } from './kept-clock.ts'

const lateEvening = '2026-11-20T21:30:00.000Z'
const entry = (objectNo: string, more: Record<string, unknown> = {}) => ({
  action: 'order.note',
  objectType: 'order',
  objectNo,
  actor: 'U1',
  actorName: 'Amina',
  at: lateEvening,
  requestId: 'r1',
  ...more,
})
const auditOf = (tx: Tx, objectNo: string) =>
  tx.k.selectFrom('auditLog').selectAll().where('objectNo', '=', objectNo).orderBy('auditNo').execute()

onEachEngine('a transaction', open => {
  let db: Database
  beforeAll(async () => {
    db = await open(stoppedClock(lateEvening))
  })

  it('counts as the instant and the EAT day of the business clock, or of the caller', async () => {
    expect(await db.withTx(async tx => [tx.now.toISOString(), tx.today])).toEqual([lateEvening, '2026-11-21'])
    const now = new Date('2026-01-31T20:59:59.000Z')
    expect(await db.withTx(async tx => tx.today, { now })).toBe('2026-01-31')
  })

  it('reads every type the same way', async () => {
    const row = await db.read(tx =>
      tx.one(sql`
        select 12.50::numeric(18,2) as money, 9007199254740991::int8 as big, '2026-11-20T10:00:00.5+03:00'::timestamptz as some_time,
          '2026-11-20 07:00:00.123456+00'::timestamptz as fine_time, date '2026-11-20' as due_date, true as flag, null::numeric as nothing,
          array[1.10, 2]::numeric(18,2)[] as amounts, array['2026-11-20'::date, null] as dates, array[5]::int8[] as numbers,
          array['2026-11-20 07:00+00'::timestamptz] as times, '{}'::date[] as none, count(*) as count, 7 as small`),
    )
    expect(row).toEqual({
      money: '12.50',
      big: 9007199254740991,
      someTime: '2026-11-20T07:00:00.500Z',
      fineTime: '2026-11-20T07:00:00.123456Z',
      dueDate: '2026-11-20',
      flag: true,
      nothing: null,
      amounts: ['1.10', '2.00'],
      dates: ['2026-11-20', null],
      numbers: [5],
      times: ['2026-11-20T07:00:00.000Z'],
      none: [],
      count: 1,
      small: 7,
    })
    await expect(db.read(tx => tx.rows(sql`select 9007199254740993::int8 as big`))).rejects.toThrow('out of the range')
  })

  it('turns the names of columns into camelCase and leaves what is inside jsonb alone', async () => {
    const value = { snake_key: [{ inner_key: 1 }], camelKey: null }
    await db.withTx(tx => tx.k.insertInto('businessConfig').values({ configKey: 'a', configValue: value }).execute())
    const typed = await db.read(tx =>
      tx.k.selectFrom('businessConfig').selectAll().where('configKey', '=', 'a').executeTakeFirst(),
    )
    expect(typed).toMatchObject({ configKey: 'a', configValue: value, version: 0, updatedBy: null })
    const raw = await db.read(tx =>
      tx.one(sql`select config_key, config_value from business_config where config_key = ${'a'}`),
    )
    expect(raw).toEqual({ configKey: 'a', configValue: value })
  })

  it.each([
    ['list', ['x', 'y']],
    ['emptyList', []],
    ['text', 'plain'],
    ['number', 5],
    ['listOfObjects', [{ a_b: 1 }]],
  ])('keeps a %s in jsonb as it is, by insert, upsert, update and template', async (configKey, configValue) => {
    const read = () =>
      db.read(tx =>
        tx.one(
          sql<{ value: unknown }>`select config_value as value from business_config where config_key = ${configKey}`,
        ),
      )
    await db.withTx(tx => tx.k.insertInto('businessConfig').values([{ configKey, configValue }]).execute())
    expect((await read()).value).toEqual(configValue)
    await db.withTx(tx =>
      tx.k
        .insertInto('businessConfig')
        .values({ configKey, configValue: { other: true } })
        .onConflict(on => on.column('configKey').doUpdateSet({ configValue: [configValue] }))
        .execute(),
    )
    expect((await read()).value).toEqual([configValue])
    await db.withTx(tx =>
      tx.k.updateTable('businessConfig').set({ configValue }).where('configKey', '=', configKey).execute(),
    )
    expect((await read()).value).toEqual(configValue)
    const changed = await db.withTx(tx =>
      tx.exec(sql`update business_config set config_value = ${json([configValue, 1])} where config_key = ${configKey}`),
    )
    expect([changed, (await read()).value]).toEqual([1, [configValue, 1]])
  })

  it('answers one row, maybe a row, or the number of rows', async () => {
    await db.withTx(async tx => {
      expect(await tx.maybe(sql`select 1 as n where false`)).toBeUndefined()
      expect(await tx.rows(sql`select n from generate_series(1, 3) as n`)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
      await expect(tx.one(sql`select 1 as n where false`)).rejects.toBeInstanceOf(RowMissing)
      expect(await tx.exec(sql`insert into number_range (kind) select 'k' || n from generate_series(1, 4) as n`)).toBe(
        4,
      )
      expect(await tx.exec(sql`update number_range set last_value = 1 where kind = 'k9'`)).toBe(0)
    })
  })

  it('writes appended rows at commit, in their order, with defaults, nulls, arrays and jsonb', async () => {
    const before = { list: ['a'], 'odd "key"': 'it\\s' }
    await db.withTx(async tx => {
      tx.append('auditLog', entry('A1', { before, at: new Date(lateEvening), ip: undefined }))
      tx.append('role', { roleNo: 'R1', roleName: 'Ro"le', roleNature: 'merchant' })
      tx.append('role', {
        roleNo: 'R2',
        roleName: 'Two',
        roleNature: 'merchant',
        sensitivePerms: ['a,b', 'c"d\\e', ''],
      })
      tx.append('role', { roleNo: 'R3', roleName: 'Three', roleNature: 'merchant', sensitivePerms: [] })
      tx.append('auditLog', entry('A1', { after: [1, 2], orderNo: 'O1' }))
      expect(await auditOf(tx, 'A1')).toEqual([])
    })
    const rows = await db.read(tx => auditOf(tx, 'A1'))
    expect(rows).toMatchObject([
      { before, after: null, at: lateEvening, ip: null, orderNo: null },
      { before: null, after: [1, 2], orderNo: 'O1' },
    ])
    const roles = await db.read(tx =>
      tx.k.selectFrom('role').select(['roleNo', 'sensitivePerms']).orderBy('roleNo').execute(),
    )
    expect(roles.map(role => role.sensitivePerms)).toEqual([[], ['a,b', 'c"d\\e', ''], []])
  })

  it('writes a large append in pieces and can read it after a flush', async () => {
    const count = await db.withTx(async tx => {
      for (let n = 0; n < 4_500; n++) tx.append('auditLog', entry('big', { requestId: `r${n}` }))
      await tx.flush()
      return tx.one(
        sql`select count(*) as count, count(distinct request_id) as distinct_count from audit_log where object_no = 'big'`,
      )
    })
    expect(count).toEqual({ count: 4_500, distinctCount: 4_500 })
  })

  it('says which table or column an append does not have', async () => {
    await expect(db.withTx(async tx => tx.append('auditLog', entry('A2', { colour: 'red' })))).rejects.toThrow(
      'no column for colour',
    )
    expect(await db.read(tx => auditOf(tx, 'A2'))).toEqual([])
  })

  it('rolls back rows, appends and callbacks when the function throws', async () => {
    const listener = vi.fn()
    const failing = db.withTx(async tx => {
      await tx.exec(sql`insert into number_range (kind) values ('gone')`)
      tx.append('auditLog', entry('A3'))
      await tx.flush()
      tx.append('auditLog', entry('A3'))
      tx.afterCommit(listener)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await db.read(tx => auditOf(tx, 'A3'))).toEqual([])
    expect(await db.read(tx => tx.rows(sql`select 1 from number_range where kind = 'gone'`))).toEqual([])
    expect(listener).not.toHaveBeenCalled()
  })

  it('rolls everything back when an appended row is refused, and names the constraint', async () => {
    const role = { roleNo: 'R9', roleName: 'Nine', roleNature: 'unheard of' }
    const fault = await db
      .withTx(async tx => {
        await tx.exec(sql`insert into number_range (kind) values ('with a bad role')`)
        tx.append('role', role)
      })
      .catch((error: unknown) => error)
    expect([sqlState(fault), violatedConstraint(fault)]).toEqual(['23514', 'role_role_nature_check'])
    expect(await db.read(tx => tx.rows(sql`select 1 from number_range where kind = 'with a bad role'`))).toEqual([])
  })

  it('does statements that are not waited for one by one in the order of their calls', async () => {
    const ranges = ['one', 'two', 'three'].map(kind => `side by side ${kind}`)
    const seen = await db.withTx(tx =>
      Promise.all(
        ranges.map(async kind => {
          const written = tx.exec(sql`insert into number_range (kind) values (${kind})`)
          const read = tx.rows<{ kind: string }>(sql`select kind from number_range where kind like 'side by side%'`)
          return [await written, (await read).length]
        }),
      ),
    )
    expect(seen).toEqual([
      [1, 1],
      [1, 2],
      [1, 3],
    ])
  })

  it('fails with the fault of the first of them, whichever is waited for, and keeps nothing', async () => {
    const heard: unknown[] = []
    const failing = db.withTx(async tx => {
      const written = tx.exec(sql`insert into number_range (kind) values ('before a fault')`)
      const wrong = tx.exec(sql`select 1 / ${0}::int`).catch(error => heard.push(sqlState(error)))
      const behind = tx.exec(sql`insert into number_range (kind) values ('behind a fault')`)
      await Promise.all([written, wrong])
      await behind
    })
    expect(sqlState(await failing.catch((error: unknown) => error))).toBe('22012')
    expect(heard).toEqual(['22012'])
    expect(await db.read(tx => tx.rows(sql`select 1 from number_range where kind like '% a fault'`))).toEqual([])
  })

  it('takes no statement when it is over, and leaves none behind for the next on its connection', async () => {
    const late: Tx[] = []
    await db.withTx(async tx => void late.push(tx))
    await db.read(async tx => void late.push(tx))
    await db.withTx(tx => tx.attempt(async inner => void late.push(inner)))
    await db
      .withTx(async tx => {
        late.push(tx)
        throw new Error('no')
      })
      .catch(() => 0)
    expect(late).toHaveLength(4)
    for (const tx of late) {
      await expect(tx.rows(sql`select 1`)).rejects.toThrow('over')
      await expect(tx.exec(sql`select 1`)).rejects.toThrow('over')
    }
  })

  it('does not report a commit that the database turned into a rollback', async () => {
    const swallowing = db.withTx(async tx => {
      await tx.exec(sql`insert into number_range (kind) values ('swallowed')`)
      await tx.exec(sql`select 1 / 0`).catch(() => 0)
    })
    await expect(swallowing).rejects.toThrow('rolled back')
    expect(await db.read(tx => tx.rows(sql`select 1 from number_range where kind = 'swallowed'`))).toEqual([])
  })

  it('runs callbacks after the commit, when others can see it', async () => {
    const seen = await new Promise(resolve => {
      void db.withTx(async tx => {
        tx.append('auditLog', entry('A4'))
        tx.afterCommit(() => resolve(db.read(other => auditOf(other, 'A4'))))
      })
    })
    expect(seen).toHaveLength(1)
  })

  it('undoes a failed attempt alone', async () => {
    await db.withTx(async tx => {
      tx.append('auditLog', entry('A5', { requestId: 'outer' }))
      await tx.attempt(async inner => inner.append('auditLog', entry('A5', { requestId: 'kept' })))
      const failing = tx.attempt(async inner => {
        inner.append('auditLog', entry('A5', { requestId: 'undone' }))
        await inner.flush()
        await inner.exec(sql`select 1 / 0`)
      })
      await expect(failing).rejects.toThrow('division by zero')
      tx.append('auditLog', entry('A5', { requestId: 'last' }))
    })
    expect((await db.read(tx => auditOf(tx, 'A5'))).map(row => row.requestId)).toEqual(['outer', 'kept', 'last'])
  })

  it.each(['40001', '40P01'])('runs again as a whole after %s, without what the lost round left', async code => {
    let rounds = 0
    const listener = vi.fn()
    await db.withTx(async tx => {
      rounds++
      tx.append('auditLog', entry(`retry ${code}`))
      tx.afterCommit(listener)
      await tx.flush()
      if (rounds < 3)
        await tx.exec(sql`do ${sql.raw(`$$ begin raise exception 'met another' using errcode = '${code}'; end $$`)}`)
    })
    expect(rounds).toBe(3)
    expect(listener).toHaveBeenCalledTimes(1)
    expect(await db.read(tx => auditOf(tx, `retry ${code}`))).toHaveLength(1)
  })

  it('gives up after three more rounds', async () => {
    let rounds = 0
    const hopeless = db.withTx(async tx => {
      rounds++
      await tx.exec(sql`do $$ begin raise exception 'met another' using errcode = '40001'; end $$`)
    })
    await expect(hopeless).rejects.toBeInstanceOf(TransactionConflict)
    expect(rounds).toBe(4)
  })

  it('cannot write while reading', async () => {
    const writing = db.read(tx => tx.exec(sql`insert into number_range (kind) values ('by a reader')`))
    await expect(writing).rejects.toMatchObject({ code: '25006' })
    await expect(db.read(async tx => tx.moved('order'))).rejects.toThrow('cannot write')
    await db.withTx(tx => tx.exec(sql`insert into number_range (kind) values ('by a writer')`))
  })

  it('writes what a reader notes once it has read, and nothing of a reader that failed', async () => {
    const writes = async () => db.read(async tx => tx.database.writes)
    const before = await writes()
    await db.read(async tx => tx.append('auditLog', entry('A6')))
    expect(await writes()).toBe(before + 1)
    const failing = db.read(async tx => {
      tx.append('auditLog', entry('A7'))
      throw new Error('found nothing')
    })
    await expect(failing).rejects.toThrow('found nothing')
    const noted = await db.read(tx =>
      tx.rows(sql<{ no: string }>`select object_no as no from audit_log where object_no in ('A6', 'A7')`),
    )
    expect(noted).toEqual([{ no: 'A6' }])
    expect(await writes()).toBe(before + 1)
  })

  it('stays usable after many wrong statements side by side', async () => {
    const rounds = Array.from({ length: 60 }, async (_, n) => {
      if (n % 3 === 0) return db.read(tx => tx.rows(sql`select nothing from nowhere`)).catch(error => sqlState(error))
      return (await db.read(tx => tx.one(sql<{ n: number }>`select ${n}::int as n`))).n
    })
    expect(await Promise.all(rounds)).toEqual(Array.from({ length: 60 }, (_, n) => (n % 3 === 0 ? '42P01' : n)))
    await db.ping()
  })

  it('goes on with a prepared statement whose table has changed', async () => {
    const read = () => db.withTx(tx => tx.maybe(sql`select * from number_range where kind = ${'k1'}`))
    await read()
    await db.withTx(tx => tx.exec(sql`alter table number_range add column extra int`))
    expect(await read()).toEqual({ kind: 'k1', lastValue: 0, extra: null })
    await db.withTx(tx => tx.exec(sql`alter table number_range drop column extra`))
  })

  it('keeps the business clock over a restart', async () => {
    const clock = movableClock()
    clock.advance(3_600_000)
    await db.withTx(tx => keepClock(tx, clock))
    const next = movableClock()
    await restoreClock(db, next)
    expect(Math.abs(next.now().getTime() - Date.now() - 3_600_000)).toBeLessThan(2_000)
  })
})

onEachEngine('a pool', (open, kind) => {
  it('says what is wrong when a transaction waits for a second connection', async () => {
    const db = await open(undefined, { connectionTimeoutMs: 300, poolSize: 1 })
    const nested = db.withTx(() => db.read(tx => tx.rows(sql`select 1`)))
    await expect(nested).rejects.toThrow('inside a transaction use only the handle')
    expect(await db.read(tx => tx.rows(sql`select 1 as n`))).toEqual([{ n: 1 }])
  })

  it.runIf(kind === 'postgres')('survives the end of its connections, also of one that is checked out', async () => {
    const db = await open()
    const cut = db.withTx(async tx => {
      await tx.exec(
        sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()`,
      )
      await tx.exec(sql`select pg_terminate_backend(pg_backend_pid())`)
    })
    await expect(cut).rejects.toThrow()
    await vi.waitFor(() => db.ping())
  })

  it.runIf(kind === 'postgres')('waits for a lock no longer than its limit', async () => {
    const db = await open(undefined, { lockTimeoutMs: 200 })
    await db.withTx(tx => tx.exec(sql`insert into number_range (kind) values ('a')`))
    const touch = (tx: Tx) => tx.exec(sql`update number_range set last_value = last_value + 1 where kind = 'a'`)
    await db.withTx(async tx => {
      await touch(tx)
      const fault = await db.withTx(touch).catch((error: unknown) => error)
      expect(isLockTimeout(fault)).toBe(true)
    })
  })

  it.runIf(kind === 'postgres')('ends a statement that takes too long', async () => {
    const db = await open(undefined, { statementTimeoutMs: 100 })
    await expect(db.read(tx => tx.rows(sql`select pg_sleep(5)`))).rejects.toMatchObject({ code: '57014' })
  })

  it.runIf(kind === 'postgres')('solves a deadlock by running one of the two again', async () => {
    const db = await open()
    await db.withTx(tx => tx.exec(sql`insert into number_range (kind) values ('a'), ('b')`))
    const gate = { arrived: 0 }
    const add = async (kinds: string[]) => {
      let first = true
      await db.withTx(async tx => {
        for (const [at, name] of kinds.entries()) {
          await tx.exec(sql`update number_range set last_value = last_value + 1 where kind = ${name}`)
          if (at === 0 && first) {
            first = false
            gate.arrived++
            await vi.waitFor(() => expect(gate.arrived).toBe(2))
          }
        }
      })
    }
    await Promise.all([add(['a', 'b']), add(['b', 'a'])])
    expect(await db.read(tx => tx.rows(sql`select last_value from number_range`))).toEqual([
      { lastValue: 2 },
      { lastValue: 2 },
    ])
  })
})
