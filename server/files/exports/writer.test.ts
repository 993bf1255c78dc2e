import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { crc32, inflateRawSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { auditManage } from '../../../core/contract/audit/order-list.ts'
import { type Cell, columnsOf } from './cell.ts'
import { csv, defused } from './csv.ts'
import { exportFiles } from './files.ts'
import type { Writer } from './writer.ts'
import { xlsx } from './xlsx.ts'

const dir = mkdtempSync(path.join(tmpdir(), 'mkopo-writer-'))
afterAll(() => rmSync(dir, { recursive: true }))

const text = (shown: string): Cell => shown
const amount = (digits: string, shown: string): Cell => ({ shown, digits, money: true })

const whole = (writer: Writer, header: readonly string[], ...chunks: Cell[][][]): Buffer => {
  let { bytes, written } = writer.begin(header)
  const parts = [bytes]
  for (const chunk of chunks) {
    ;({ bytes, written } = writer.rows(written, chunk))
    parts.push(bytes)
  }
  const last = writer.end(written)
  const all = Buffer.concat([...parts, last.bytes])
  expect(last.written.offset).toBe(all.length)
  return all
}

/** Reads an archive by its directory, as every program does, and checks what it says of each file. */
const unpacked = (file: Buffer): Map<string, string> => {
  const end = file.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  const files = new Map<string, string>()
  let at = file.readUInt32LE(end + 16)
  for (let left = file.readUInt16LE(end + 10); left > 0; left--) {
    expect(file.readUInt32LE(at)).toBe(0x02014b50)
    const [crc, packed, size] = [16, 20, 24].map(place => file.readUInt32LE(at + place)) as [number, number, number]
    const nameLength = file.readUInt16LE(at + 28)
    const name = file.subarray(at + 46, at + 46 + nameLength).toString()
    const head = file.readUInt32LE(at + 42)
    expect(file.readUInt32LE(head)).toBe(0x04034b50)
    const begin = head + 30 + file.readUInt16LE(head + 26)
    const content = inflateRawSync(file.subarray(begin, begin + packed))
    expect({ size: content.length, crc: crc32(content) }).toEqual({ size, crc })
    files.set(name, content.toString())
    at += 46 + nameLength
  }
  expect(at).toBe(end)
  return files
}

describe('csv', () => {
  it('is RFC 4180 with a byte order mark', () => {
    const file = whole(
      csv,
      ['No.', 'Name, first'],
      [[text('1'), text('say "hi"')]],
      [[text('2'), text('two\r\nlines')]],
    )
    expect(file.toString()).toBe('\uFEFFNo.,"Name, first"\r\n1,"say ""hi"""\r\n2,"two\r\nlines"\r\n')
  })

  it.each(['=1+1', '+256', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '\0=1', '＝1+1', '－1'])('defuses %j', given => {
    expect(defused(given)).toBe(`'${given}`)
  })

  it.each(['1+1', 'a=b', '', ' =1', "'=1", '256772000031'])('leaves %j as it is', given => {
    expect(defused(given)).toBe(given)
  })

  it('leaves a negative amount a number', () => {
    expect(whole(csv, ['A'], [[amount('-1200.00', '-1,200')]]).toString()).toBe('\uFEFFA\r\n"-1,200"\r\n')
  })
})

describe('xlsx', () => {
  const sheet = (...chunks: Cell[][][]) => unpacked(whole(xlsx, ['A', 'B'], ...chunks)).get('xl/worksheets/sheet1.xml')

  it('has the files of a workbook, whatever number of pieces it was written in', () => {
    const rows = [[text('a')], [text('b')], [text('c')]]
    const files = unpacked(whole(xlsx, ['A'], rows))
    expect([...files.keys()].sort()).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/_rels/workbook.xml.rels',
      'xl/styles.xml',
      'xl/workbook.xml',
      'xl/worksheets/sheet1.xml',
    ])
    expect(unpacked(whole(xlsx, ['A'], ...rows.map(row => [row])))).toEqual(files)
    expect(unpacked(whole(xlsx, ['A'], [], rows))).toEqual(files)
  })

  it('writes numbers as numbers, and everything else as text that is never calculated', () => {
    const found = sheet([[amount('1240000.50', '1,240,000.50'), text('=1+1')]])
    expect(found).toContain('<c r="A2" s="2"><v>1240000.50</v></c>')
    expect(found).toContain('<c r="B2" t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c>')
    expect(found).not.toContain('<f>')
  })

  it('keeps an amount that no spreadsheet holds exactly as text', () => {
    expect(sheet([[amount('9999999999999999.99', '9,999,999,999,999,999.99')]])).toContain('>9,999,999,999,999,999.99<')
  })

  it('holds any text', () => {
    const found = sheet([[text('a<b>&"c"\r\n\t\0\ud800'), text('_x0041_ 王🙂')]])
    expect(found).toContain('>a&lt;b&gt;&amp;"c"&#13;\n\t\uFFFD\uFFFD<')
    expect(found).toContain('>_x005F_x0041_ 王🙂<')
  })

  it('names its columns beyond Z', () => {
    const cells = Array.from({ length: 30 }, (_, index) => text(String(index)))
    expect(unpacked(whole(xlsx, [], [cells])).get('xl/worksheets/sheet1.xml')).toContain('<c r="AD2" t="inlineStr">')
  })
})

describe.each([csv, xlsx])('pieces that are made beside each other', writer => {
  it(`stand as if they had been written one after the other: ${writer === csv ? 'csv' : 'xlsx'}`, async () => {
    const rows = Array.from({ length: 30 }, (_, n) => [text(`=${n}`), amount(`${n}.50`, `${n}.50`)])
    const begun = writer.begin(['A', 'B'])
    const above = begun.written.rows
    const [second, first] = await Promise.all([
      writer.piece(above + 20, rows.slice(20)),
      writer.piece(above, rows.slice(0, 20)),
    ])
    const parts = [begun, writer.behind(begun.written, first)]
    parts.push(writer.behind(parts[1]!.written, second))
    const end = writer.end(parts[2]!.written)
    const pieced = Buffer.concat([...parts, end].map(part => part.bytes))
    expect(end.written.offset).toBe(pieced.length)
    expect(parts[2]!.written.rows).toBe(31)
    const plainly = whole(writer, ['A', 'B'], rows)
    if (writer === csv) expect(pieced).toEqual(plainly)
    else expect(unpacked(pieced)).toEqual(unpacked(plainly))
  })
})

describe('a column', () => {
  const { row } = auditManage.manageList
  const shown = (name: string, values: unknown[], who?: { inList: boolean; desensitized: boolean }) => {
    const [column] = columnsOf(row, [name], 'en', who)
    return values.map(value => column!.cell(value))
  }

  it('stamps instants in EAT, beyond midnight and the end of a year too', () => {
    const at = ['2026-03-02T07:00:00.000Z', '2026-03-02T07:59:59.999999Z', '2026-12-31T21:30:05.000Z', null]
    expect(shown('applyTime', [...at, at[0]])).toEqual([
      '2026-03-02 10:00:00',
      '2026-03-02 10:59:59',
      '2027-01-01 00:30:05',
      '',
      '2026-03-02 10:00:00',
    ])
  })

  it('shows each value as itself, however many different ones there are', () => {
    const amounts = Array.from({ length: 5_000 }, (_, n) => `${n}.00`)
    const cells = shown('loanAmount', [...amounts, ...amounts, null])
    for (const [n, cell] of cells.slice(0, -1).entries())
      expect(cell).toEqual({ shown: (n % 5_000).toLocaleString('en'), digits: `${n % 5_000}.00`, money: true })
    expect(cells.at(-1)).toBe('')
    expect(shown('orderStatus', ['to_be_allocated', 'to_be_allocated', null])).toEqual([
      'To be allocated',
      'To be allocated',
      '',
    ])
  })

  it('hides what its list hides from the person who asked', () => {
    const names = ['phone', 'customerName']
    const of = (desensitized: boolean) =>
      names.map(name => shown(name, ['256772000031'], { inList: true, desensitized })[0])
    expect(of(false)).toEqual(['25********31', '256772000031'])
    expect(of(true)).toEqual(['25********31', '25********31'])
  })
})

/** Rows of a long list; 200,000 are written with `EXPORT_ROWS=200000` and `--execArgv=--expose-gc`. */
const rows = Number(process.env.EXPORT_ROWS ?? 20_000)
const chunk = 1_000

it.each([csv, xlsx])(
  `writes ${rows} rows in the memory of one chunk`,
  async writer => {
    const names = ['orderNo', 'customerName', 'orderStatus', 'loanAmount', 'applyTime']
    const columns = columnsOf(auditManage.manageList.row, names, 'en')
    const rowOf = (n: number) => [`LO${n}`, `Customer ${n}`, 'to_be_allocated', `${n}.50`, '2026-03-02T07:00:00Z']
    const files = exportFiles(dir)
    const used: number[] = []
    let { bytes, written } = writer.begin(columns.map(column => column.header))
    await files.append('long', 0, bytes)
    for (let from = 0; from < rows; from += chunk) {
      const cells = Array.from({ length: chunk }, (_, at) =>
        rowOf(from + at).map((value, c) => columns[c]!.cell(value)),
      )
      const { offset } = written
      ;({ bytes, written } = writer.rows(written, cells))
      await files.append('long', offset, bytes)
      global.gc?.()
      const { heapUsed, external } = process.memoryUsage()
      used.push(heapUsed + external)
    }
    const { offset } = written
    ;({ bytes, written } = writer.end(written))
    await files.append('long', offset, bytes)
    await files.seal('long')
    expect(statSync(files.pathOf('long')).size).toBe(written.offset)
    expect(written.rows).toBe(rows + 1)
    const half = used.length / 2
    const grown = Math.max(...used.slice(half)) - Math.max(...used.slice(0, half))
    if (process.env.EXPORT_ROWS)
      process.stdout.write(
        `${writer.type}: ${written.offset} bytes, heap ${Math.max(...used)} at most, grown ${grown}\n`,
      )
    expect(grown).toBeLessThan(32 * 1024 * 1024)
  },
  120_000,
)
