import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compressBelow } from './compress.ts'

let dir: string
const long = 'the same words again and again; '.repeat(200)
beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'mkopo-compress-'))
  mkdirSync(path.join(dir, 'chunks'))
  writeFileSync(path.join(dir, 'chunks', 'a-12345678.js'), long)
  writeFileSync(path.join(dir, 'index.html'), '<p>short</p>')
  writeFileSync(path.join(dir, 'types.d.ts'), long)
  await compressBelow(dir)
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

test('what browsers ask for lies there packed both ways, and unpacks to itself', () => {
  const at = (ending: string) => readFileSync(path.join(dir, 'chunks', `a-12345678.js${ending}`))
  expect(brotliDecompressSync(at('.br')).toString()).toBe(long)
  expect(gunzipSync(at('.gz')).toString()).toBe(long)
  expect(at('.br').length).toBeLessThan(long.length / 20)
})

test('what is short, or never asked for by a page, is left as it is', () => {
  expect(readdirSync(dir).sort()).toEqual(['chunks', 'index.html', 'types.d.ts'])
})
