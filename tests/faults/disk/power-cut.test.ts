import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { systemClock } from '../../../server/db/clock.ts'
import { openDatabase } from '../../../server/db/database.ts'
import { canMountLoop, copyOfDisk, mounted, newImage, repaired } from './disks.ts'

const writer = fileURLToPath(new URL('../../../server/db/crash-child.ts', import.meta.url))

/** Writes into a directory until so many transactions were promised, then stands still; answers how many were. */
const writeUntil = async (dataDir: string, wanted: number): Promise<{ promised: number; end: () => void }> => {
  const child = spawn(process.execPath, ['--import', 'tsx', writer, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  let promised = 0
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{')) continue
    promised = Number(line)
    if (promised >= wanted) break
  }
  child.kill('SIGSTOP')
  return { promised, end: () => void child.kill('SIGKILL') }
}

it.skipIf(!canMountLoop)(
  `X5: a power cut keeps every transaction that the embedded database answered${canMountLoop ? '' : ' (skipped: no disk can be made here)'}`,
  async () => {
    const place = fs.mkdtempSync(path.join(os.tmpdir(), 'mkopo-power-'))
    const [image, after] = [path.join(place, 'disk'), path.join(place, 'after')]
    newImage(image, 256)
    const disk = mounted('loop', image)
    await (
      await openDatabase({ dataDir: path.join(disk.directory, 'data'), clock: systemClock, durable: false })
    ).close()
    const { promised, end } = await writeUntil(path.join(disk.directory, 'data'), 150)
    copyOfDisk(image, after)
    end()
    disk.close()

    repaired(after)
    const found = mounted('loop', after)
    const db = await openDatabase({ dataDir: path.join(found.directory, 'data'), clock: systemClock })
    const { last, rows } = await db.read(tx =>
      tx.one(sql<{ last: number; rows: number }>`
        select (select last_value from number_range where kind = 'crash') as last, (select count(*)::int from tracking_event) as rows`),
    )
    await db.close()
    found.close()
    fs.rmSync(place, { recursive: true, force: true })
    expect(promised).toBeGreaterThanOrEqual(150)
    expect(Number(last)).toBeGreaterThanOrEqual(promised)
    expect(rows).toBe(Number(last))
  },
)
