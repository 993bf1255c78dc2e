import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { csvLines, delimiterOf } from './csv-read.ts'
import { encodingOf, textOf } from './decode.ts'
import { Unreadable } from './unreadable.ts'

const dir = mkdtempSync(path.join(tmpdir(), 'mkopo-readers-'))
afterAll(() => rmSync(dir, { recursive: true }))

const fileOf = (bytes: Buffer | string) => {
  const file = path.join(dir, 'file')
  writeFileSync(file, bytes)
  return file
}
async function* pieces(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}
const rowsOf = async (text: string, size = text.length || 1) => {
  const found: string[][] = []
  for await (const { cells } of csvLines(pieces(text, size))) found.push(cells)
  return found
}
const whyOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => new Error('was read'),
    (one: unknown) => one,
  )
  if (!(error instanceof Unreadable)) throw error
  return { why: error.why, ...error.params }
}

describe('comma-separated values', () => {
  const cases: [string, string, string[][]][] = [
    [
      'plain lines',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'lines of Windows',
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'lines of old Macs',
      'a,b\r1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['a last line without an end', 'a\n1', [['a'], ['1']]],
    [
      'quotes around a comma and a line end',
      'a,b\n"1,5","x\r\ny"\n',
      [
        ['a', 'b'],
        ['1,5', 'x\ny'],
      ],
    ],
    ['doubled quotes', 'a\n"say ""hi"""\n', [['a'], ['say "hi"']]],
    ['a quote inside of a plain cell', 'a\n5" pipe\n', [['a'], ['5" pipe']]],
    [
      'empty cells',
      'a,b,c\n,,\n',
      [
        ['a', 'b', 'c'],
        ['', '', ''],
      ],
    ],
    [
      'empty quotes at the end',
      'a,b\n1,""',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    [
      'semicolons',
      'a;b\n1,5;2\n',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    [
      'tabs',
      'a\tb\n1\t2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['what Excel says of its delimiter', 'sep=;\na;b\n1;2', [[''], ['a', 'b'], ['1', '2']]],
    ['spaces behind a quote', '"a" ,b\n', [['a', 'b']]],
  ]

  it.each(cases)('are read with %s, in one piece and letter by letter', async (_, text, rows) => {
    expect(await rowsOf(text)).toEqual(rows)
    expect(await rowsOf(text, 1)).toEqual(rows)
  })

  it('counts lines as an editor does', async () => {
    const found = []
    for await (const { no } of csvLines(pieces('a,b\n"x\ny",1\r\n2,3\n', 3))) found.push(no)
    expect(found).toEqual([1, 2, 4])
  })

  it('tells the delimiter outside of quotes', () => {
    expect(delimiterOf('"a,b,c";d')).toBe(';')
    expect(delimiterOf('one')).toBe(',')
  })

  it.each([
    ['a quote that is never closed', 'a,b\n1,2\n3,"4\n5,6\n', { why: 'quotes', line: 3 }],
    ['a quote that takes in the lines that follow', `a\n"${'x\n'.repeat(20_000)}"`, { why: 'quotes', line: 2 }],
    ['a quoted cell of one endless line', `a\n"${'x'.repeat(40_000)}"`, { why: 'cell_long', line: 2 }],
    ['letters behind a closed quote', 'a\n"1"2\n', { why: 'quotes', line: 2 }],
    ['a cell without an end', `a\n${'x'.repeat(40_000)}`, { why: 'cell_long' }],
    ['a million columns', ','.repeat(1_000_000), { why: 'too_wide', max: 200 }],
  ])('refuses %s', async (_, text, why) => {
    expect(await whyOf(rowsOf(text, 1_000))).toMatchObject(why)
  })
})

describe('the encoding of a text', () => {
  const chinese = '放款码,订单号,结果\nLC1,LO1,成功\n'
  const gbk = Buffer.from([...'LC1,'].map(letter => letter.charCodeAt(0)).concat([0xb3, 0xc9, 0xb9, 0xa6, 0x0a]))
  const be = Buffer.from(`\uFEFF${chinese}`, 'utf16le').swap16()
  const read = async (bytes: Buffer | string) => {
    const file = fileOf(bytes)
    const encoding = await encodingOf(file)
    let text = ''
    for await (const piece of textOf(file, encoding)) text += piece
    return { encoding, text }
  }

  it.each([
    ['utf-8', Buffer.from(chinese), chinese],
    ['utf-8', Buffer.from(`\uFEFF${chinese}`), chinese],
    ['utf-16le', Buffer.from(`\uFEFF${chinese}`, 'utf16le'), chinese],
    ['utf-16le', Buffer.from('loanCode,orderNo\nLC1,LO1\n', 'utf16le'), 'loanCode,orderNo\nLC1,LO1\n'],
    ['utf-16be', be, chinese],
    ['gbk', gbk, 'LC1,成功\n'],
  ])('is detected: %s', async (encoding, bytes, text) => {
    expect(await read(bytes)).toEqual({ encoding, text })
  })

  it.each([
    ['western letters in one byte', Buffer.from('name\nAndré Élysée,Zoë\n', 'latin1')],
    ['UTF-8 and GBK in one file', Buffer.concat([Buffer.from('放款码,订单号\n'), gbk, Buffer.from('放款结果\n')])],
    ['empty bytes', Buffer.from('a,b\n1,\0\n')],
    ['half of a letter', Buffer.from([0x61, 0x0a, 0xe6, 0x94])],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['UTF-16 that ends in the middle', Buffer.from('\uFEFFabc', 'utf16le').subarray(0, 7)],
  ])('is refused: %s', async (_, bytes) => {
    expect(await whyOf(read(bytes))).toEqual({ why: 'encoding' })
  })
})
