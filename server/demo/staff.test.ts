import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { stoppedClock } from '../db/clock.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { rightsOf } from '../rights/held-rights.ts'
import { menuRows } from '../rights/menus.ts'
import { userNoOf, writeStaff } from './staff.ts'
import { writeWorld } from './world.ts'

let db: Database
beforeAll(async () => {
  db = await openDatabase({ memory: true, clock: stoppedClock('2026-03-02T07:00:00Z') })
  await db.withTx(async tx => {
    await writeWorld(tx)
    await writeStaff(tx, 'none')
  })
})
afterAll(() => db.close())

const codesOf = async (loginId: string) => (await db.read(tx => rightsOf(tx, userNoOf(loginId)))).perms

it.each(['admin', 'admin2'])('%s holds every code, those of second persons too', async loginId => {
  const held = await codesOf(loginId)
  expect(menuRows().flatMap(row => (row.perms && !held.has(row.perms) ? [row.perms] : []))).toEqual([])
  expect(held.has('user:resetMfa:check')).toBe(true)
})

it('lets only administrators take authenticators away', async () => {
  const able = await db.read(tx =>
    tx.rows(sql<{ roleNo: string }>`
      select distinct role_no from role_menu join menu using (menu_no) where perms like 'user:resetMfa%' order by role_no`),
  )
  expect(able).toEqual([{ roleNo: 'administrator' }])
  expect((await codesOf('auditor1')).has('user:resetMfa')).toBe(false)
})
