import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { loan, releaseResults } from '../../../core/contract/after-loan/loan.ts'
import { field } from '../../../core/contract/fields.ts'
import { languages } from '../../../core/i18n/language.ts'
import { isKey, text } from '../../../core/i18n/server.ts'
import { releasedOrders } from '../../systems/after-loan/released-order/released-orders.ts'
import { csv } from '../exports/csv.ts'
import { headerOf, normalized } from './read/header.ts'
import { Unreadable } from './read/unreadable.ts'
import { namesOf, requiredOf } from './read-job.ts'
import { templateRows } from './template.ts'
import { readRow } from './values.ts'

const row = z.strictObject({
  key: field.key(),
  amount: field.money().optional(),
  at: field.time().optional(),
  day: field.date().optional(),
  phone: field.phone().optional(),
  count: field.int().optional(),
  result: field.dict(releaseResults).optional(),
  sure: field.flag().optional(),
})
const columns = Object.keys(row.shape)
const read = (column: string, cell: string) => {
  const done = readRow(
    row,
    columns,
    columns.map(one => (one === column ? cell : one === 'key' ? 'K1' : '')),
  )
  return 'values' in done ? done.values[column] : done.messages.map(({ path, key }) => [path, key])
}

describe('a cell', () => {
  it.each([
    ['key', ' 00123 ', '00123'],
    ['key', '="00123"', '00123'],
    ['key', "'=A1", '=A1'],
    ['key', '00\u00A0123', '00 123'],
    ['amount', '1,240,000', '1240000.00'],
    ['amount', '1 240 000.5', '1240000.50'],
    ['amount', 'UGX 1,240,000', '1240000.00'],
    ['amount', '1240000', '1240000.00'],
    ['amount', '0.5', '0.50'],
    ['at', '2026-11-22 10:00', '2026-11-22T07:00:00.000Z'],
    ['at', '2026/11/2 9:05', '2026-11-02T06:05:00.000Z'],
    ['at', '2026-11-22 10:00:30', '2026-11-22T07:00:30.000Z'],
    ['at', '2026-11-22', '2026-11-21T21:00:00.000Z'],
    ['at', '2026-11-22T10:00:00+03:00', '2026-11-22T07:00:00.000Z'],
    ['at', '45000.5', '2023-03-15T09:00:00.000Z'],
    ['day', '2026-11-22', '2026-11-22'],
    ['day', '2026-11-22 00:00', '2026-11-22'],
    ['day', '45000', '2023-03-15'],
    ['phone', '256772000031', '256772000031'],
    ['phone', '+256 772 000-031', '256772000031'],
    ['phone', '0772000031', '256772000031'],
    ['phone', '772000031', '256772000031'],
    ['count', '1,200', 1200],
    ['result', 'success', 'success'],
    ['result', '失败', 'failed'],
    ['result', 'UMEFANIKIWA', 'success'],
    ['sure', '是', true],
    ['sure', 'No', false],
    ['sure', '1', true],
    ['amount', '   ', undefined],
  ])('of %s %j is read as %j', (column, cell, value) => {
    expect(read(column, cell)).toEqual(value)
  })

  it.each([
    ['key', '2.56772E+11', 'validation.excelShortened'],
    ['phone', '2.56E+11', 'validation.excelShortened'],
    ['amount', '1.24E+06', 'validation.excelShortened'],
    ['amount', '1.240.000', 'validation.moneyFormat'],
    ['amount', '12,40', 'validation.moneyFormat'],
    ['amount', '1,2345', 'validation.moneyFormat'],
    ['amount', '-5', 'validation.moneyFormat'],
    ['amount', '5.123', 'validation.moneyFormat'],
    ['amount', '=A2*2', 'validation.moneyFormat'],
    ['at', '22/11/2026 10:00', 'validation.timeFormat'],
    ['at', '2026-02-30 10:00', 'validation.timeFormat'],
    ['at', '2026-11-22 25:00', 'validation.timeFormat'],
    ['day', '11/22/2026', 'validation.dateFormat'],
    ['phone', '25677200003', 'validation.phoneFormat'],
    ['count', '1.5', 'validation.wholeNumber'],
    ['result', 'perhaps', 'validation.wrongValue'],
    ['key', 'x'.repeat(41), 'validation.tooLong'],
    ['key', '', 'validation.infoComplete'],
  ])('of %s %j is refused: %s', (column, cell, key) => {
    expect(read(column, cell)).toEqual([[column, key]])
  })

  it('is not asked of its schema again where it could not be read at all', () => {
    const done = readRow(row, ['key', 'amount'], ['', '1E9'])
    expect(done).toEqual({
      messages: [
        { path: 'amount', key: 'validation.excelShortened', params: {} },
        { path: 'key', key: 'validation.infoComplete', params: {} },
      ],
    })
  })
})

const names = namesOf(releasedOrders.list.importing)
const required = requiredOf(releasedOrders.list.importing)
const columnsOf = (cells: string[]) => headerOf(cells, names, required)
const refusal = (cells: string[]) => {
  try {
    return columnsOf(cells)
  } catch (error) {
    if (error instanceof Unreadable) return { why: error.why, ...error.params }
    throw error
  }
}

describe('a header', () => {
  it('is known by its own names, in any case and order', () => {
    expect(columnsOf(['RESULT', 'order_no', 'Loan Code*', 'x']).columns).toEqual([
      'result',
      'orderNo',
      'loanCode',
      null,
    ])
  })

  it.each(languages)('is known in the words of %s', language => {
    const { header } = templateRows(releasedOrders.list.importing, language)
    expect(columnsOf(header)).toEqual({ columns: Object.keys(releasedOrders.list.importing.row.shape), ignored: [] })
  })

  it('passes over what means nothing here, and says so', () => {
    const { columns, ignored } = columnsOf(['loanCode', 'orderNo', 'result', '__proto__', 'constructor', '', 'Remarks'])
    expect(columns).toEqual(['loanCode', 'orderNo', 'result', null, null, null, null])
    expect(ignored).toEqual(['__proto__', 'constructor', 'Remarks'])
  })

  it('is refused without a column that is needed, or with one twice', () => {
    expect(refusal(['loanCode', 'amount'])).toEqual({ why: 'header', columns: 'orderNo,result' })
    expect(refusal(['loanCode', 'orderNo', 'result', 'loan code'])).toEqual({
      why: 'header_twice',
      columns: 'loanCode',
    })
    expect(refusal(['LC1', 'LO1', 'success'])).toMatchObject({ why: 'header' })
  })

  it('has one meaning for each word, in all languages together', () => {
    const meanings = new Map<string, Set<string>>()
    for (const [said, column] of names) meanings.set(said, (meanings.get(said) ?? new Set()).add(column))
    expect([...meanings].filter(([, columns]) => columns.size > 1)).toEqual([])
  })
})

describe.each(languages)('the template in %s', language => {
  const { header, notes } = templateRows(releasedOrders.list.importing, language)

  it('marks what is needed, and shows an example that is right', () => {
    expect(header.filter(one => one.endsWith('*'))).toHaveLength(required.length)
    const [, example = []] = notes
    const cells = example.map((cell, at) => (at ? cell : cell.replace('# ', '')))
    expect(readRow(loan.page.importing!.row, Object.keys(loan.page.importing!.row.shape), cells)).toHaveProperty(
      'values',
    )
  })

  it('marks what only explains', () => {
    for (const note of notes) expect(note[0]).toMatch(/^#/)
    expect(csv.rows(csv.begin([]).written, [notes[0]!]).bytes.toString()).toMatch(/^"?#/)
  })

  it('has words for all its columns', () => {
    for (const name of Object.keys(releasedOrders.list.importing.row.shape)) {
      expect(isKey(`fields.${name}`)).toBe(true)
      expect(normalized(text(language, `fields.${name}` as 'fields.amount'))).not.toBe('')
    }
  })
})
