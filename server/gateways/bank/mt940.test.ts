import { describe, expect, it } from 'vitest'
import { Unreadable } from '../../files/imports/read/unreadable.ts'
import { looksLikeMt940, readMt940 } from './mt940.ts'

const message = (entries: readonly string[] = [], o: { opening?: string; closing?: string; end?: string } = {}) =>
  [
    '{1:F01SBICUGKXAXXX0000000000}{2:I940SBICUGKXXXXXN}{4:',
    ':20:ST260302',
    ':25:SBICUGKX/0140001112223',
    ':28C:61/1',
    `:60F:${o.opening ?? 'C260301UGX1000000,'}`,
    ...entries,
    o.end ?? `:62F:${o.closing ?? 'C260302UGX810000,00'}`,
    ':64:C260302UGX810000,00',
    '-}',
  ].join('\r\n')
const paid = ':61:2603020302D190000,00NTRFLC1-1//FT1'
const linesOf = (...entries: string[]) => readMt940(message(entries))[0]?.lines
const refused = (text: string) => expect(() => readMt940(text)).toThrow(Unreadable)

describe('a statement in MT940', () => {
  it('is of an account and a day, with its balances and its lines', () => {
    expect(looksLikeMt940(message([paid]))).toBe(true)
    expect(readMt940(message([`${paid}\r\nSUPPLEMENT`, ':86:Loan LC1', 'of March']))).toEqual([
      {
        accountNumber: 'SBICUGKX/0140001112223',
        date: '2026-03-02',
        opening: '1000000.00',
        closing: '810000.00',
        lines: [
          {
            serialNo: 'FT1',
            direction: 'out',
            lineKind: 'payment',
            amount: '190000.00',
            time: '2026-03-01T21:00:00.000Z',
            reference: 'LC1-1',
            relatesTo: null,
            payerAccount: null,
            narrative: 'Loan LC1 of March',
          },
        ],
      },
    ])
  })

  it.each([
    ['C', 'in', 'payment'],
    ['D', 'out', 'payment'],
    ['RC', 'out', 'reversal'],
    ['RD', 'in', 'reversal'],
  ])('has money %s as %s, %s', (mark, direction, lineKind) => {
    expect(linesOf(`:61:260302${mark}5000,NTRFNONREF//FT2`)).toMatchObject([{ direction, lineKind, reference: null }])
  })

  it('has our number for a line where the bank gives none, and the day of booking where the year turned', () => {
    expect(linesOf(':61:2512310102C5000,5NTRFPAY-7')).toMatchObject([
      { serialNo: 'PAY-7', amount: '5000.50', time: '2026-01-01T21:00:00.000Z' },
    ])
  })

  it('goes on over pages that fit together', () => {
    const first = message([paid, ':86:one'], { end: ':62M:C260302UGX810000,00' })
    const second =
      ':20:ST260302\n:25:SBICUGKX/0140001112223\n:28C:61/2\n:60M:C260302UGX810000,00\n:61:260302C5000,NTRFNONREF//FT2\n:86:two\n:62F:C260302UGX815000,'
    const read = readMt940(`${first}\n${second}`)
    expect(read).toMatchObject([{ opening: '1000000.00', closing: '815000.00' }])
    expect(read[0]?.lines.map(line => line.narrative)).toEqual(['one', 'two'])
    refused(`${first}\n${second.replace('60M:C260302UGX810000', '60M:C260302UGX810001')}`)
  })

  it.each<[string, string]>([
    ['another currency', message([], { opening: 'C260301USD1,' })],
    ['an amount of three decimals', message([':61:260302C5000,125NTRFNONREF//FT2'])],
    ['a line without a number', message([':61:260302C5000,NTRFNONREF'])],
    ['a line that cannot be read', message([':61:yesterday'])],
    ['a day that there is not', message([], { opening: 'C260231UGX1,' })],
    ['no end', message([paid], { end: ':86:cut' })],
    ['words before its first field', `Dear customer\n${message()}`],
    ['nothing', ''],
  ])('with %s is refused whole', (_, text) => refused(text))
})
