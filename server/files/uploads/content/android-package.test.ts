import { expect, it } from 'vitest'
import { each, uploadKit } from '../upload-fixture.ts'
import { noise } from './made-files.ts'
import { packageOf } from './made-package.ts'

const at = uploadKit()
const asPackage = { purpose: 'package' as const, fileName: 'kasa.apk' }

it('a package of several pieces is put together on disk, with the hash that it was announced with', async () => {
  const bytes = packageOf(noise(3 * each).toString('hex'))
  const { answer } = await at.sent(bytes, asPackage)
  expect(answer).toMatchObject({ code: 0, data: { uploadStatus: 'ready', fileSize: bytes.length } })
})

it.each([
  ['no archive', noise(4_096)],
  ['an archive of something else', packageOf('x', ['readme.txt'])],
])('%s is no package', async (_, bytes) => {
  const { answer } = await at.sent(bytes, asPackage)
  expect(answer).toMatchObject({ code: 40001, msg: expect.stringContaining('Only .apk is supported') })
})

it('is refused by its name and above its size before it is sent', async () => {
  const bytes = packageOf('x')
  expect((await at.announce(bytes, { ...asPackage, fileName: 'kasa.zip' })).msg).toContain('Only .apk is supported')
  const large = await at.announce(bytes, { ...asPackage, size: 200 * 1_048_576 + 1 })
  expect(large.msg).toContain('exceeds 200 MB')
})
