import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { releasedOrders } from '../../../systems/after-loan/released-order/released-orders.ts'
import { csv } from '../../exports/csv.ts'
import { nothing, type Writer, type Written } from '../../exports/writer.ts'
import { xlsx } from '../../exports/xlsx.ts'
import { namesOf, requiredOf } from '../read-job.ts'
import { readFile } from './reader.ts'
import { Unreadable } from './unreadable.ts'
import { archived, sheetOf, sheetPart, textRows, workbook } from './workbook-fixture.ts'

const dir = mkdtempSync(path.join(tmpdir(), 'mkopo-long-'))
afterAll(() => rmSync(dir, { recursive: true }))

const rows = 50_000
const header = ['loanCode', 'orderNo', 'result', 'serialNo', 'payoutTime', 'amount', 'failReason']
/** Megabytes in which a file of any length must be read. */
const little = 48

const written = (writer: Writer, count: number): string => {
  const file = path.join(dir, `long.${writer === csv ? 'csv' : 'xlsx'}`)
  const parts: Buffer[] = []
  let at: Written = nothing
  const add = ({ bytes, written }: { bytes: Buffer; written: Written }) => {
    parts.push(bytes)
    at = written
  }
  add(writer.begin(header))
  for (let from = 0; from < count; from += 1_000) {
    const cells = Array.from({ length: Math.min(1_000, count - from) }, (_, n) => [
      `LC26112${from + n}`,
      `LO26112${from + n}`,
      'success',
      `MP${(from + n) * 7_919}`,
      '2026-11-20 10:05',
      '1,240,000',
      '',
    ])
    add(writer.rows(at, cells))
  }
  add(writer.end(at))
  writeFileSync(file, Buffer.concat(parts))
  return file
}
const reading = (file: string, maxRows = rows) => ({
  file,
  format: file.endsWith('csv') ? ('csv' as const) : ('xlsx' as const),
  names: namesOf(releasedOrders.list.importing),
  required: requiredOf(releasedOrders.list.importing),
  maxRows,
  spool: path.join(dir, 'rows'),
})
const whyOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => new Error('was read'),
    (one: unknown) => one,
  )
  if (!(error instanceof Unreadable)) throw error
  return error.why
}

describe.each([csv, xlsx])('a file of 50,000 rows', writer => {
  it(`is read in ${little} MB: ${writer === csv ? 'csv' : 'xlsx'}`, async () => {
    const file = written(writer, rows)
    const before = performance.now()
    const read = await readFile(reading(file), { memoryMb: little })
    if (process.env.IMPORT_FIGURES)
      process.stdout.write(
        `${file}: ${statSync(file).size} bytes read in ${Math.round(performance.now() - before)} ms, RSS ${process.memoryUsage().rss}\n`,
      )
    expect(read).toEqual({ columns: header, ignored: [], rows })
    expect(statSync(path.join(dir, 'rows')).size).toBeGreaterThan(rows * 60)
  })

  it('is refused with one row more', async () => {
    expect(await whyOf(readFile(reading(written(writer, 1_001), 1_000)))).toBe('too_many_rows')
  })
})

describe('a file that takes too much', () => {
  it('ends its own thread and nothing else', async () => {
    const texts = Array.from({ length: 20_000 }, () => `<si><t>${randomBytes(450).toString('hex')}</t></si>`)
    const shared = `<sst>${texts.join('')}</sst>`
    const file = path.join(dir, 'shared.xlsx')
    const noisy = { ...workbook(textRows([header])), 'xl/sharedStrings.xml': shared }
    writeFileSync(file, archived(noisy))
    expect(await whyOf(readFile(reading(file), { memoryMb: 12 }))).toBe('too_big')
    expect(await whyOf(readFile(reading(file)))).toBe('no_rows')
  })

  it('is given up when it takes too long', async () => {
    expect(await whyOf(readFile(reading(written(xlsx, rows)), { longestMs: 30 }))).toBe('too_big')
  })

  it('may be no file at all', async () => {
    await expect(readFile(reading(path.join(dir, 'nothing.csv')))).rejects.toThrow('ENOENT')
  })

  it('may have a sheet of nothing but empty rows', async () => {
    const empty = sheetOf('<row/>'.repeat(60_000))
    const file = path.join(dir, 'empty.xlsx')
    writeFileSync(file, archived({ ...workbook(''), [sheetPart]: empty }))
    expect(['too_big', 'no_rows']).toContain(await whyOf(readFile(reading(file))))
  })
})
