import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { systemClock } from '../db/clock.ts'
import { openDatabase } from '../db/database.ts'
import { addPartnerFrom } from './add-partner.ts'
import { isOrigin } from './grant.ts'
import { hashSecret } from './partner.ts'

const dataDir = mkdtempSync(path.join(tmpdir(), 'mkopo-partner-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const run = async (...args: string[]) => {
  const [printed, complained]: [string[], string[]] = [[], []]
  const code = await addPartnerFrom(
    args,
    { DATA_DIR: dataDir },
    line => void printed.push(line),
    line => void complained.push(line),
  )
  return { code, printed: printed.join('\n'), complained: complained.join('\n') }
}
const given = ['--name', 'Kampala CRM', '--client', 'kampala-crm', '--perm', 'audit:self:page', '--merchant', 'M1']
const elements = ['--widget', 'mkopo-audit-my-audit']

it('prints the key once and keeps its hash', async () => {
  const { code, printed } = await run(...given, ...elements, '--origin', 'https://crm.example')
  expect(code).toBe(0)
  const [first, secret] = printed.split('\n') as [string, string]
  expect(first).toMatch(/^PG\w+ kampala-crm$/)
  const db = await openDatabase({ dataDir, clock: systemClock })
  const held = await db.read(tx => tx.one(sql<{ secretHash: string }>`select * from partner_grant`))
  const logged = await db.read(tx => tx.one(sql<object>`select * from audit_log where action = 'partner.add'`))
  await db.close()
  expect(held).toMatchObject({ secretHash: hashSecret(secret), origins: ['https://crm.example'], merchantNos: ['M1'] })
  expect(JSON.stringify([held, logged])).not.toContain(secret)
})

it('says what is wrong with a grant, and enters nothing', async () => {
  expect(await run('--name', 'x')).toMatchObject({
    code: 1,
    printed: '',
    complained: expect.stringContaining('npm run partner'),
  })
  expect(await run(...given, ...elements)).toMatchObject({ code: 1, complained: expect.stringContaining('no origin') })
  const login = await run(...given, '--widget', 'mkopo-portal-login', '--origin', 'https://crm.example')
  expect(login).toMatchObject({ code: 1, complained: 'mkopo-portal-login cannot be embedded' })
})

it.each([
  ['https://crm.example', true],
  ['http://localhost:8260', true],
  ['https://crm.example/', false],
  ['https://crm.example/page', false],
  ['https://CRM.example', false],
  ['https://crm.example:443', false],
  ['https://*.crm.example', false],
  ['ftp://crm.example', false],
  ['null', false],
])('an origin is what a browser would send: %s', (text, is) => {
  expect(isOrigin(text)).toBe(is)
})
