import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { integrityFile, writeIntegrity } from './integrity.ts'

let dir: string
beforeAll(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'mkopo-integrity-'))
  mkdirSync(path.join(dir, 'chunks'))
  writeFileSync(path.join(dir, 'mkopo.js'), 'alert(1)\n')
  writeFileSync(path.join(dir, 'chunks', 'react-12345678.js'), 'export {}\n')
  writeFileSync(path.join(dir, 'types.d.ts'), 'declare const a: 1\n')
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const published = async () => {
  await writeIntegrity(dir, '1.2.3')
  return JSON.parse(readFileSync(path.join(dir, integrityFile), 'utf8')) as {
    version: string
    integrity: Record<string, string>
  }
}

test('C17: every script of a build is published with its digest, and a changed one has another', async () => {
  const before = await published()
  expect(before.version).toBe('1.2.3')
  // The digest of the text above, as `openssl dgst -sha384 -binary | base64` says it.
  expect(before.integrity).toEqual({
    'chunks/react-12345678.js': expect.stringMatching(/^sha384-[A-Za-z0-9+/]{64}$/),
    'mkopo.js': 'sha384-Vak0Zcr3bxd8tq03epnMvktUZupI6KlqYOa+TS7L9/HvJHvuB6S2m74oday+ttbz',
  })
  writeFileSync(path.join(dir, 'mkopo.js'), 'alert(2)\n')
  const after = await published()
  expect(after.integrity['mkopo.js']).not.toBe(before.integrity['mkopo.js'])
  expect(after.integrity['chunks/react-12345678.js']).toBe(before.integrity['chunks/react-12345678.js'])
})
