import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { chunkHeaders } from '../../../core/contract/common/upload.ts'
import { contract } from '../../../core/contract/contract.ts'
import { chunkBytes } from '../../../core/rules/upload.ts'
import { countOf, many, rows, rowsAndVersions } from '../../../tests/races/resource.ts'
import { done } from '../../testing/acts.ts'
import { facts, way } from '../../testing/facts.ts'

const { attach, upload } = contract
const live = 'drop index if exists attachment_live'
let drawn = 0

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

export default facts({
  machines: {
    upload: {
      row: {
        uploadNo: 'UP1',
        userNo: 'U1',
        purpose: 'attachment',
        fileName: 'receipt.pdf',
        extension: 'pdf',
        size: 2048,
        sha256: '0'.repeat(64),
        chunkBytes: 10_485_760,
        fileId: 'file-2',
        createdTime: '2026-03-02T07:00:00Z',
        expireTime: '2026-03-03T07:00:00Z',
      },
    },
  },
  commands: [
    {
      call: upload.complete,
      make: async fixture => {
        const no = await fixture.receiving()
        return { no, input: { uploadNo: no } }
      },
    },
    {
      call: attach.save,
      make: async fixture => {
        const [no, objectNo] = [await fixture.uploaded(), await fixture.queueUp()]
        return { no, input: { uploadNo: no, objectType: 'order', objectNo, attachType: 'income' } }
      },
      race: { drop: [live] },
    },
    {
      call: attach.remove,
      make: async fixture => {
        const no = await fixture.attached(await fixture.queueUp())
        return { no, input: { uploadNo: no } }
      },
    },
  ],
  beginnings: [
    {
      call: upload.token,
      input: () => ({ purpose: 'import', fileName: 'leads.csv', size: 2_048, sha256: '0'.repeat(64) }),
    },
  ],
  ways: [
    way('a file comes in pieces', async fixture => {
      const pieces = [randomBytes(chunkBytes), randomBytes(1)]
      const bytes = Buffer.concat(pieces)
      const file = { purpose: 'attachment', fileName: 'long.pdf', size: bytes.length, sha256: hashOf(bytes) }
      const { uploadNo, token } = (await done(fixture, upload.token, file)) as { uploadNo: string; token: string }
      for (const [chunkNo, piece] of pieces.entries()) {
        const headers = { [chunkHeaders.token]: token, [chunkHeaders.sha256]: hashOf(piece) }
        fixture.must(
          await fixture.call(upload.chunk, { uploadNo, chunkNo }, { as: fixture.boss, bytes: piece, headers }),
        )
      }
    }),
    way('a file that is not what it says is refused, and what nobody used is thrown away', async fixture => {
      const wrong = { fileName: 'a.pdf', bytes: Buffer.from('no document'), purpose: 'attachment' } as const
      await fixture.ask(
        upload.complete,
        { uploadNo: await fixture.receiving(fixture.boss, wrong) },
        { as: fixture.boss },
      )
      await fixture.uploaded()
      await fixture.receiving()
      const begun = { purpose: 'attachment', fileName: 'b.pdf', size: 100, sha256: '0'.repeat(64) }
      await done(fixture, upload.token, begun)
      await fixture.pass(30 * 1440)
      await fixture.tick('upload.gc')
    }),
  ],
  records: [
    {
      fields: ['uploadNo'],
      table: 'upload',
      key: 'upload_no',
      make: (fixture, _, { orderNo }) => fixture.attached(orderNo),
    },
  ],
  calls: [
    { call: upload.file, remembers: 'who asked for a file is noted, though its bytes are gone' },
    { call: upload.token, silent: 'begins a file that nothing refers to yet' },
    { call: attach.list, needs: () => ({ objectType: 'order' }) },
    { call: attach.save, needs: ({ made }) => ({ objectType: 'order', uploadNo: made.uploadNo }) },
  ],
  races: [
    {
      name: 'the announcement of a file',
      rule: 'M68: what was begun goes on, and is not begun again',
      available: 1,
      async make(fixture, parallel) {
        const sha256 = hashOf(Buffer.from(String(++drawn)))
        const input = { purpose: 'attachment' as const, fileName: 'payslip.pdf', size: 2_048, sha256 }
        return {
          tries: many(parallel, () => () => fixture.call(upload.token, input, { as: fixture.boss })),
          taken: () => countOf(fixture, sql`select 1 from upload where sha256 = ${sha256}`),
        }
      },
      kept: { by: rows, at: /select \* from upload where user_no/ },
    },
    {
      name: 'an uploaded file',
      rule: 'I4, M68: a file belongs to one record',
      available: 1,
      async make(fixture, parallel) {
        const orders = [await fixture.queueUp(), await fixture.queueUp()]
        const uploadNo = await fixture.uploaded()
        return {
          tries: many(
            parallel,
            i => () =>
              fixture.call(
                attach.save,
                { objectType: 'order', objectNo: orders[i % 2]!, uploadNo, attachType: 'income' },
                { as: fixture.boss },
              ),
          ),
        }
      },
      kept: { by: rowsAndVersions, drop: ['drop index if exists attachment_live'] },
    },
  ],
})
