import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../db/clock.ts'
import { type Database, openDatabase, type Tx } from '../db/database.ts'
import { noteDemo } from '../demo/state.ts'
import { rightsOf } from '../rights/held-rights.ts'
import { menuRows } from '../rights/menus.ts'
import { addAdminFrom, enterAdmin } from './add-admin.ts'

const root = mkdtempSync(path.join(tmpdir(), 'mkopo-admin-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let dataDir: string
beforeAll(async () => {
  dataDir = mkdtempSync(path.join(root, 'data-'))
  await (await openDatabase({ dataDir, clock: systemClock, durable: false })).close()
})

const run = async (...args: string[]) => {
  const [printed, complained]: [string[], string[]] = [[], []]
  const code = await addAdminFrom(
    args,
    { DATA_DIR: dataDir },
    line => void printed.push(line),
    line => void complained.push(line),
  )
  return { code, printed: printed.join('\n'), complained: complained.join('\n') }
}
const opened = async <T>(look: (tx: Tx) => Promise<T>): Promise<T> => {
  const db = await openDatabase({ dataDir, clock: systemClock })
  try {
    return await db.withTx(look)
  } finally {
    await db.close()
  }
}
const grace = ['--login', 'grace', '--email', 'grace@lender.example', '--name', 'Grace Nakato']

it('enters the first administrator with every code, and prints a link that is kept as a hash', async () => {
  const { code, printed } = await run(...grace, '--company', 'Nile Credit', '--url', 'https://console.example/')
  expect(code).toBe(0)
  const link = /^https:\/\/console\.example\/Index\/Login#link=(mkopo_link_[\w-]{43})$/m.exec(printed)?.[1] as string
  expect(link).toBeDefined()
  const found = await opened(async tx => ({
    people: await tx.rows(
      sql<{ userNo: string }>`select user_no, login_id, real_name, email, password_hash from app_user`,
    ),
    links: await tx.rows(sql<object>`select * from sign_in_link where used_time is null`),
    logged: await tx.rows(sql<object>`select * from audit_log where action = 'admin.add'`),
  }))
  expect(found.people).toEqual([
    expect.objectContaining({
      loginId: 'grace',
      realName: 'Grace Nakato',
      email: 'grace@lender.example',
      passwordHash: 'none',
    }),
  ])
  expect([found.links.length, found.logged.length]).toEqual([1, 1])
  expect(JSON.stringify(found)).not.toContain(link)
  const { perms } = await opened(tx => rightsOf(tx, found.people[0]?.userNo ?? ''))
  expect(menuRows().flatMap(row => (row.perms && !perms.has(row.perms) ? [row.perms] : []))).toEqual([])
})

describe('the first administrator', () => {
  let db: Database
  beforeEach(async () => {
    db = await openDatabase({ memory: true, clock: systemClock })
  })
  afterEach(() => db.close())
  const asked = {
    login: 'grace',
    email: 'grace@lender.example',
    company: 'Nile Credit',
    url: 'https://console.example',
  }
  const exec = (query: ReturnType<typeof sql>) => db.withTx(tx => tx.exec(query))

  it('gets a new link as long as the first was never used, and nobody else does', async () => {
    const [first, second] = [await enterAdmin(db, asked), await enterAdmin(db, asked)]
    expect(second).not.toBe(first)
    const alive = await db.read(tx => tx.rows(sql<object>`select 1 from sign_in_link where used_time is null`))
    expect(alive).toHaveLength(1)
    await expect(enterAdmin(db, { ...asked, login: 'eve' })).rejects.toThrow('has people already')
    await exec(sql`update app_user set password_hash = '$argon2id$'`)
    await expect(enterAdmin(db, asked)).rejects.toThrow('has people already')
  })

  it('is not entered into demo data', async () => {
    await noteDemo(db, 'made')
    await expect(enterAdmin(db, asked)).rejects.toThrow('holds demo data')
  })
})

it('says how it is called', async () => {
  expect(await run('--login', 'grace')).toMatchObject({
    code: 1,
    complained: expect.stringContaining('npm run admin --'),
  })
  expect(await run('--login', 'grace', '--email', 'none')).toMatchObject({ code: 1, printed: '' })
})
