import crypto from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { hasPostgres, newPostgresDatabase } from '../../tests/postgres.ts'
import { reportInvariants } from '../invariants/report.ts'
import { systemClock } from './clock.ts'
import { openDatabase } from './database.ts'
import { historyTables } from './roles.ts'

const as = (url: string, role: string) => Object.assign(new URL(url), { username: role, password: 'pass' }).href

describe.skipIf(!hasPostgres)('two roles of one PostgreSQL database', () => {
  const suffix = crypto.randomBytes(4).toString('hex')
  const [owner, application] = [`owner_${suffix}`, `application_${suffix}`]
  let url = ''
  const asked = async (text: string, who = url): Promise<Record<string, unknown>[]> => {
    const client = new pg.Client(who)
    await client.connect()
    return (await client.query(text).finally(() => client.end())).rows
  }
  const open = (role = application) =>
    openDatabase({ url: as(url, role), ownerUrl: as(url, owner), poolSize: 2, clock: systemClock })
  const prepared = (async () => {
    url = (await newPostgresDatabase()) ?? ''
    if (!url) return
    const name = new URL(url).pathname.slice(1)
    for (const role of [owner, application]) await asked(`create role ${role} login password 'pass'`)
    await asked(`alter database ${name} owner to ${owner}`)
  })()
  afterAll(async () => {
    await asked(
      `reassign owned by ${owner} to current_user; drop owned by ${owner}, ${application}; drop role ${owner}, ${application}`,
    )
  })

  it('one migrates, and the other works without a right to change history', async () => {
    await prepared
    const db = await open()
    await db.withTx(async tx => {
      await tx.exec(sql`insert into ledger_balance values ('bank:FA1', 0)`)
      await tx.exec(sql`update ledger_balance set balance = 0`)
      tx.append('auditLog', {
        action: 'a',
        objectType: 'o',
        objectNo: '1',
        actor: 'x',
        actorName: 'x',
        at: tx.now,
        requestId: 'r',
      })
      await tx.exec(sql`
        insert into journal (journal_no, posting_code, business_date, value_date, posted_time, cause, request_id, actor) values (1, 'P0', '2026-03-01', '2026-03-01', now(), 'fund_account:FA1', 'r', 'x')`)
      await tx.exec(
        sql`insert into journal_line (journal_no, account_code, amount) values (1, 'bank:FA1', 5), (1, 'owner_funds:x', -5)`,
      )
      await tx.exec(sql`update ledger_balance set balance = 5`)
    })
    for (const table of historyTables)
      for (const statement of [sql`delete from ${sql.table(table)}`, sql`truncate ${sql.table(table)} cascade`])
        await expect(
          db.withTx(tx => tx.exec(statement)),
          table,
        ).rejects.toThrow(/permission denied/)
    await expect(db.withTx(tx => tx.exec(sql`update journal set actor = 'y'`))).rejects.toThrow(/permission denied/)
    await expect(db.withTx(tx => tx.exec(sql`alter table journal disable trigger all`))).rejects.toThrow(
      /must be owner/,
    )
    await db.close()
  })

  it('takes its right to change history from the owner as well', async () => {
    for (const table of historyTables)
      await expect(asked(`delete from ${table}`, as(url, owner)), table).rejects.toThrow(/permission denied/)
    await expect(asked(`update journal set actor = 'y'`, as(url, owner))).rejects.toThrow(/permission denied/)
    await expect(asked(`update journal set journal_no = 2`, as(url, owner))).rejects.toThrow(/are never changed/)
  })

  it('proves the books as either', async () => {
    const printed: string[] = []
    const env = { DATABASE_URL: as(url, application), DATABASE_OWNER_URL: as(url, owner), DATA_DIR: '/nonexistent' }
    const code = await reportInvariants(
      env,
      line => printed.push(line),
      line => printed.push(line),
    )
    expect([code, printed]).toEqual([0, []])
  })

  it('refuses to serve with a role that could change history', async () => {
    await expect(open(owner)).rejects.toThrow(/could change the ledger/)
    await asked(`grant update on audit_log to public`)
    await expect(open()).rejects.toThrow(/could change the ledger/)
    await asked(`revoke update on audit_log from public; grant ${owner} to ${application}`)
    await expect(open()).rejects.toThrow(/could change the ledger/)
    await asked(`revoke ${owner} from ${application}`)
    await (await open()).close()
  })
})
