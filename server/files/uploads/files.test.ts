import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { noise } from './content/made-files.ts'
import { DiskFull, newFileId, uploadFiles, WrongBytes } from './files.ts'
import { sha256 } from './upload-fixture.ts'

const dir = mkdtempSync(path.join(tmpdir(), 'mkopo-files-'))
const files = uploadFiles(path.join(dir, 'file-upload'))
const names = () => readdirSync(path.join(dir, 'file-upload'))
afterAll(() => rmSync(dir, { recursive: true }))

const bytes = noise(10_000)
const announced = { size: bytes.length, sha256: sha256(bytes) }
/** Arrives until there is no room for more. */
function* untilFull(code: string) {
  yield bytes.subarray(0, 4_000)
  throw Object.assign(new Error('no space left on device'), { code })
}

it.each(['ENOSPC', 'EDQUOT'])('says that there is no room (%s), and leaves no half piece', async code => {
  await expect(files.keepChunk(newFileId(), 0, announced, untilFull(code))).rejects.toBeInstanceOf(DiskFull)
  expect(names()).toEqual([])
})

it('leaves nothing of a piece whose sender went away', async () => {
  await expect(files.keepChunk(newFileId(), 0, announced, untilFull('ECONNRESET'))).rejects.toThrow('no space')
  await expect(files.keepChunk(newFileId(), 0, announced, [bytes.subarray(1)])).rejects.toBeInstanceOf(WrongBytes)
  expect(names()).toEqual([])
})

it('gives a piece its name when it is whole, and puts the pieces of a file together in their order', async () => {
  const id = newFileId()
  const parts = [bytes.subarray(0, 4_000), bytes.subarray(4_000)]
  for (const [no, part] of parts.entries())
    await files.keepChunk(id, no, { size: part.length, sha256: sha256(part) }, [part])
  expect((await files.read(id, parts.map(sha256))).equals(bytes)).toBe(true)
  expect(await files.keepWhole(id, [bytes])).toEqual(announced)
  expect(await files.measure(id)).toEqual(announced)
  await files.remove(id, false)
  expect(names()).toEqual([id])
  await files.remove(id, true)
  expect(names()).toEqual([])
})

it('names files by what nobody can guess, and knows of none that is not there', async () => {
  expect(newFileId()).toMatch(/^[0-9a-f]{48}$/)
  expect(await files.measure(newFileId())).toBeNull()
  expect(await uploadFiles(path.join(dir, 'nowhere')).orphans(new Set(), Date.now())).toEqual([])
})
