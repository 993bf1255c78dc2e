import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { yardsticks } from '../../../../tests/yardstick.ts'
import { xlsx } from '../../exports/xlsx.ts'
import { Unreadable } from './unreadable.ts'
import { archived, sheetOf, sheetPart, textRows, workbook } from './workbook-fixture.ts'
import { dayText, numberText, xlsxLines } from './xlsx-read.ts'

const dir = mkdtempSync(path.join(tmpdir(), 'mkopo-xlsx-'))
afterAll(() => rmSync(dir, { recursive: true }))

const read = async (bytes: Buffer): Promise<string[][]> => {
  const file = path.join(dir, 'book.xlsx')
  writeFileSync(file, bytes)
  const rows: string[][] = []
  for await (const { cells } of xlsxLines(file)) rows.push(cells)
  return rows
}
const whyOf = async (bytes: Buffer) => {
  const error = await read(bytes).then(
    () => new Error('was read'),
    (one: unknown) => one,
  )
  if (!(error instanceof Unreadable)) throw error
  return error.why
}
/** Digits that hardly pack. */
const noise = (length: number) => {
  let seed = 1
  return Array.from({ length }, () => (seed = (seed * 48_271) % 2_147_483_647) % 10).join('')
}
const cell = (inner: string, more = '') => `<row r="1"><c r="A1"${more}>${inner}</c></row>`

describe('a workbook', () => {
  it('that we wrote is read as it was', async () => {
    const rows = [['=1+1', { shown: '1,240,000.50', digits: '1240000.50', money: true }]]
    const begun = xlsx.begin(['Name & <b>', '金额'])
    const body = xlsx.rows(begun.written, rows)
    const end = xlsx.end(body.written)
    expect(await read(Buffer.concat([begun.bytes, body.bytes, end.bytes]))).toEqual([
      ['Name & <b>', '金额'],
      ['=1+1', '1240000.5'],
    ])
  })

  it('shows its first sheet that is not hidden', async () => {
    expect(await read(archived(workbook(textRows([['a', 'b']]))))).toEqual([['a', 'b']])
  })

  it('shares texts, in pieces, without their phonetic hints', async () => {
    const shared = `<sst><si><t>plain</t></si><si><r><t>two </t></r><r><t>parts</t></r><rPh sb="0"><t>hint</t></rPh></si><si><t>_x0041_ &#x4e2d;&amp;</t></si></sst>`
    const row = [0, 1, 2].map(at => `<c t="s"><v>${at}</v></c>`).join('')
    expect(await read(archived(workbook(`<row>${row}</row>`, { 'xl/sharedStrings.xml': shared })))).toEqual([
      ['plain', 'two parts', 'A 中&'],
    ])
  })

  it('has its days by their style, counted from 1900 or from 1904', async () => {
    const styles = `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm\\-dd hh:mm"/><numFmt numFmtId="171" formatCode="&quot;day&quot; 0.0"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="22"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs></styleSheet>`
    const row = `<row>${[0, 1, 2, 3].map(s => `<c s="${s}"><v>46348.5</v></c>`).join('')}</row>`
    const book = workbook(row, { 'xl/styles.xml': styles })
    expect(await read(archived(book))).toEqual([['46348.5', '2026-11-22 12:00', '2026-11-22 12:00', '46348.5']])
    const mac = {
      'xl/workbook.xml': book['xl/workbook.xml']!.replace('<sheets>', '<workbookPr date1904="1"/><sheets>'),
    }
    expect((await read(archived({ ...book, ...mac })))[0]?.[1]).toBe('2030-11-23 12:00')
  })

  it.each([
    ['a formula, as text, whatever was calculated', cell('<f>A2*2</f><v>5</v>'), '=A2*2'],
    ['a link to another file, as text', cell(`<f>[1]Sheet1!A1</f><v>5</v>`), '=[1]Sheet1!A1'],
    ['a command to another program, as text', cell(`<f>cmd|'/c calc'!A0</f><v>0</v>`), "=cmd|'/c calc'!A0"],
    ['a shared formula', cell('<f t="shared" si="0"/><v>5</v>'), '='],
    ['a truth', cell('<v>1</v>', ' t="b"'), 'TRUE'],
    ['a mistake', cell('<v>#REF!</v>', ' t="e"'), '#REF!'],
    ['a phone that became a number', cell('<v>256772000031</v>'), '256772000031'],
    ['a phone that became a short number', cell('<v>2.56772000031E11</v>'), '256772000031'],
    ['a number that lost its end', cell('<v>1.2345678901234568E+19</v>'), '1.2345678901234567e+19'],
    ['a sum of doubles', cell('<v>0.30000000000000004</v>'), '0.3'],
    ['text in CDATA', cell('<is><t><![CDATA[a<b]]></t></is>', ' t="inlineStr"'), 'a<b'],
    ['spaces that are kept', cell('<is><t xml:space="preserve"> 007 </t></is>', ' t="inlineStr"'), ' 007 '],
    ['text with a comment beside', cell('<!-- <v>1</v> --><v>7</v>'), '7'],
  ])('reads %s', async (_, row, value) => {
    expect(await read(archived(workbook(row)))).toEqual([[value]])
  })

  it('leaves cells that are not there empty', async () => {
    const rows = '<row r="3"><c r="C3"><v>1</v></c></row><row><c><v>2</v></c></row>'
    expect(await read(archived(workbook(rows)))).toEqual([['', '', '1'], ['2']])
  })
})

describe('a file that is no honest workbook', () => {
  const whole = archived(workbook(textRows([['a']])))
  const types = (kind: string) => ({ '[Content_Types].xml': `<Types><Override ContentType="${kind}"/></Types>` })
  const bomb = sheetOf(' '.repeat(30 * 1024 * 1024))
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`x${at}`, 'x']))
  const entity = '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><worksheet>&b;</worksheet>'
  const external = '<!DOCTYPE a SYSTEM "file:///etc/passwd"><worksheet/>'
  const shorter = (size: number) => (entry: Parameters<NonNullable<Parameters<typeof archived>[1]>>[0]) =>
    entry.name === sheetPart ? { ...entry, size } : entry
  const encrypted = Buffer.from(whole)
  encrypted.writeUInt16LE(1, encrypted.indexOf('PK\x01\x02', 0, 'latin1') + 8)

  it.each<[string, Buffer, string]>([
    ['nothing', Buffer.alloc(0), 'unreadable'],
    ['text', Buffer.from('a,b\n1,2'), 'unreadable'],
    ['another archive', archived({ 'readme.txt': 'hi' }), 'unreadable'],
    ['half of a workbook', whole.subarray(0, whole.length - 40), 'unreadable'],
    ['a workbook with letters in front', Buffer.concat([Buffer.from('MZ'), whole]), 'unreadable'],
    ['macros by their part', archived(workbook('', { 'xl/vbaProject.bin': 'x' })), 'macro'],
    [
      'macros by their type',
      archived(workbook('', types('application/vnd.ms-excel.sheet.macroEnabled.main+xml'))),
      'macro',
    ],
    ['a password', encrypted, 'locked'],
    ['too many parts', archived({ ...workbook(''), ...many }), 'too_big'],
    ['30 MB in 30 kB', archived({ ...workbook(''), [sheetPart]: bomb }), 'too_big'],
    ['the same, called small', archived({ ...workbook(''), [sheetPart]: bomb }, shorter(100)), 'too_big'],
    ['a part that is called greater than it is', archived(workbook(textRows([['a']])), shorter(5_000)), 'unreadable'],
    ['parts on the same bytes', archived(workbook(''), entry => ({ ...entry, offset: 0 })), 'unreadable'],
    [
      'a part behind the end',
      archived(workbook(''), entry => ({ ...entry, offset: entry.offset + 9_999 })),
      'unreadable',
    ],
    ['entities that multiply', archived({ ...workbook(''), [sheetPart]: entity }), 'unreadable'],
    ['an entity that names a file', archived({ ...workbook(''), [sheetPart]: external }), 'unreadable'],
    ['XML that is no UTF-8', archived({ ...workbook(''), [sheetPart]: '<worksheet' }), 'unreadable'],
    ['a tag without an end', archived(workbook(`<c ${noise(70_000)}`)), 'unreadable'],
    ['a cell in column ZZZ', archived(workbook('<row r="1"><c r="ZZZ1"><v>1</v></c></row>')), 'too_wide'],
    ['a cell of a million letters', archived(workbook(cell(`<v>${noise(1_000_000)}</v>`, ' t="str"'))), 'cell_long'],
    [
      'a sheet that is elsewhere',
      archived(
        workbook('', {
          'xl/_rels/workbook.xml.rels':
            '<Relationships><Relationship Id="rId1" Target="http://x/y" TargetMode="External"/></Relationships>',
        }),
      ),
      'unreadable',
    ],
  ])('is refused: %s', async (_, bytes, why) => {
    const work = async () => expect(await whyOf(bytes)).toBe(why)
    expect(await yardsticks(work)).toBeLessThan(100)
  })

  it('counts what is unpacked of all parts together', async () => {
    const part = `<x>${noise(1_500_000).repeat(6)}</x>`
    const parts = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`x${at}`, part]))
    expect(await whyOf(archived({ ...workbook(''), ...parts }))).toBe('too_big')
  })
})

it.each([
  [45_000.5, '2023-03-15 12:00'],
  [45_000, '2023-03-15'],
  [46_348.416_666_67, '2026-11-22 10:00'],
  [46_348.999_999, '2026-11-23'],
])('day %d is %s', (serial, text) => {
  expect(dayText(serial)).toBe(text)
})

it.each([
  ['1240000', '1240000'],
  ['1240000.5', '1240000.5'],
  ['-5', '-5'],
  ['1E3', '1000'],
  ['999999999999999', '999999999999999'],
  ['', ''],
])('number %j is read as %j', (raw, text) => {
  expect(numberText(raw)).toBe(text)
})
