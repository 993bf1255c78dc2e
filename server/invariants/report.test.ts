import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { keyFile } from '../config.ts'
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
  await db.withTx(async tx => {
    await tx.exec(sql`insert into ledger_balance select 'bank:FA' || n, -5 from generate_series(1, 25) n`)
    await tx.exec(sql`insert into audit_anchor values ('2026-03-02', 1, 1, 'none', 'nobody sealed this', now())`)
  })
  await db.close()
  const red = await check()
  expect(red).toMatchObject({ code: 1, err: [] })
  const named = red.out.map(line => line.split('\t')[0])
  expect([...new Set(named)]).toEqual(['L2a', 'V22', 'V23'])
  expect(named.filter(name => name === 'V22')).toHaveLength(21)
  expect(red.out.filter(line => line.endsWith('\t… and 5 more'))).toHaveLength(2)
  expect(red.out.join()).toContain('"accountCode":"bank:FA9"')
  fs.writeFileSync(path.join(dataDir, keyFile), 'the key of this installation')
  expect((await check()).out.at(-1)).toBe(
    'V23a\tan anchor of the audit log bears our seal\t{"anchorDate":"2026-03-02","chainNo":1}',
  )
})
