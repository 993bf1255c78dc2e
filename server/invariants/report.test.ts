import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { systemClock } from '../db/clock.ts'
import { openDatabase } from '../db/database.ts'
import { reportInvariants } from './report.ts'

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'invariants-'))
const dataDir = path.join(home, 'data')
afterAll(() => fs.rmSync(home, { recursive: true, force: true }))

const check = async () => {
  const out: string[] = []
  const err: string[] = []
  const code = await reportInvariants(
    { DATA_DIR: dataDir },
    line => out.push(line),
    line => err.push(line),
  )
  return { code, out, err }
}

it('prints what breaks a rule and nothing else, and leaves a running server alone', async () => {
  const db = await openDatabase({ dataDir, durable: false, clock: systemClock })
  expect(await check()).toMatchObject({ code: 2, out: [], err: [expect.stringContaining('stop it first')] })
  await db.withTx(tx => tx.exec(sql`insert into ledger_balance values ('bank:FA9', -5)`))
  await db.close()
  const red = await check()
  expect(red).toMatchObject({ code: 1, err: [] })
  expect(red.out.map(line => line.split('\t')[0])).toEqual(['L2a', 'V22'])
  expect(red.out.join()).toContain('"accountCode":"bank:FA9"')
}, 60_000)
