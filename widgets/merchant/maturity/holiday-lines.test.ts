import { expect, it } from 'vitest'
import { holidayLines } from './holiday-lines.ts'

const known = [{ date: '2027-01-01', name: { zh: '元旦', en: 'New Year', sw: 'Mwaka Mpya' }, closed: true }]
const read = (pasted: string) => holidayLines(pasted, '2026-12-31', known)

it('reads a holiday a line, between semicolons of either width or tabs', () => {
  const lines = read(
    '2027-01-26; 解放日; Liberation Day; Siku ya Ukombozi\n\n2027-02-16；大主教节；Janani Luwum Day；Siku ya Luwum\n2027-03-08\t妇女节\tWomen’s Day\tSiku ya Wanawake',
  )
  expect(lines.map(({ line, holiday }) => [line, holiday?.date, holiday?.name.en])).toEqual([
    [1, '2027-01-26', 'Liberation Day'],
    [3, '2027-02-16', 'Janani Luwum Day'],
    [4, '2027-03-08', 'Women’s Day'],
  ])
  expect(lines.every(({ holiday }) => holiday?.closed)).toBe(true)
})

it.each([
  ['2027-05-01; 劳动节; Labour Day', 'parts'],
  ['2027-13-01; 劳动节; Labour Day; Siku ya Wafanyakazi', 'date'],
  ['01/05/2027; 劳动节; Labour Day; Siku ya Wafanyakazi', 'date'],
  ['2027-05-01; 劳动节; ; Siku ya Wafanyakazi', 'name'],
  [`2027-05-01; 劳动节; ${'x'.repeat(65)}; Siku ya Wafanyakazi`, 'name'],
  ['2026-12-26; 节礼日; Boxing Day; Siku ya Zawadi', 'passed'],
  ['2027-01-01; 元旦; New Year; Mwaka Mpya', 'known'],
])('says of %s why it is not taken', (line, bad) => {
  expect(read(line)).toMatchObject([{ line: 1, text: line, bad }])
})

it('takes a day once', () => {
  const line = '2027-05-01; 劳动节; Labour Day; Siku ya Wafanyakazi'
  expect(read(`${line}\n${line}`).map(one => one.bad)).toEqual([undefined, 'twice'])
})
