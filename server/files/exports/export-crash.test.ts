import { appendFileSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { NetworkHandler } from '../../module.ts'
import { chunkRows, exportKit, orders } from './export-fixture.ts'

const at = exportKit()
const { dir, begun, rowOf, fetched, refusal, one, fileOf, cancelled } = at

/** A process that writes one chunk and dies: at once, before it notes it, or in the middle of the next one. */
const dies = async (exportNo: string, noted: boolean) => {
  const handler = at.queues[0] as unknown as NetworkHandler
  const prepared = await at.kit.db.withTx(tx => handler.before(tx, { jobKey: '', payload: { exportNo } }))
  const answer = await handler.send(prepared)
  if (noted) await at.kit.db.withTx(tx => handler.after(tx, prepared, answer))
}
const bytesOf = async (exportNo: string) => Buffer.from(await (await fetched(exportNo)).arrayBuffer())

describe.each(['csv', 'xlsx'] as const)('%s', exportFormat => {
  it('goes on after a crash between chunks, and in the middle of one, as if nothing had been', async () => {
    const whole = await begun({ exportFormat })
    await at.worker.drain()
    const exportNo = await begun({ exportFormat })
    await dies(exportNo, true)
    expect(await rowOf(exportNo)).toMatchObject({ exportStatus: 'running', rowsDone: chunkRows, rowCount: orders })
    expect(await refusal(exportNo)).toMatchObject({ code: 40901, data: { status: 'running' } })
    await dies(exportNo, false)
    await dies(exportNo, true)
    appendFileSync(path.join(dir, `${await fileOf(exportNo)}.part`), 'half a row')
    await at.worker.drain()
    expect(await rowOf(exportNo)).toMatchObject({ exportStatus: 'ready', rowsDone: orders })
    expect((await bytesOf(exportNo)).equals(await bytesOf(whole))).toBe(true)
  })

  it('begins again where the file was lost', async () => {
    const whole = await begun({ exportFormat })
    await at.worker.drain()
    const exportNo = await begun({ exportFormat })
    await dies(exportNo, true)
    rmSync(path.join(dir, `${await fileOf(exportNo)}.part`))
    await at.worker.drain()
    expect(await rowOf(exportNo)).toMatchObject({ exportStatus: 'ready', rowsDone: orders })
    expect((await bytesOf(exportNo)).equals(await bytesOf(whole))).toBe(true)
  })
})

it('gives up where the file is lost again and again', async () => {
  const exportNo = await begun()
  for (let n = 0; n < 4; n++) {
    await dies(exportNo, true)
    rmSync(path.join(dir, `${await fileOf(exportNo)}.part`))
    await dies(exportNo, true)
  }
  expect(await rowOf(exportNo)).toMatchObject({ exportStatus: 'failed', failReason: 'error' })
})

it('is cancelled between two chunks, and what was written goes', async () => {
  const exportNo = await begun()
  await dies(exportNo, true)
  const file = `${await fileOf(exportNo)}.part`
  expect(readdirSync(dir)).toContain(file)
  expect(await cancelled(exportNo, 1)).toMatchObject({ code: 0 })
  await expect.poll(() => readdirSync(dir)).not.toContain(file)
  await at.worker.drain()
  expect(readdirSync(dir)).not.toContain(file)
  expect(await rowOf(exportNo)).toMatchObject({ exportStatus: 'failed', failReason: 'cancelled', rowsDone: 0 })
  expect(await one(sql<object>`select count(*)::int as n from export_chunk`)).toEqual({ n: 0 })
})
