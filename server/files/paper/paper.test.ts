import { expect, it } from 'vitest'
import { pdf } from '../uploads/content/pdf.ts'
import { measured, wrapped } from './glyphs.ts'
import { pdfOf } from './paper.ts'

const paper = {
  title: 'Payment receipt',
  lead: '兹证明 Akello',
  facts: [{ label: 'Amount', value: 'UGX 1,000.00 (net) \\ “paid” – Nakasongola' }],
  table: { columns: ['Applied to', 'Paid'], rows: Array.from({ length: 40 }, (_, at) => [`Line ${at}`, '1.00']) },
  notes: ['Printed'],
  code: 'RP1',
}

it('is a document that our own inspection takes, with a table of places that fits', async () => {
  const bytes = pdfOf(paper)
  await expect(pdf(bytes)).resolves.toBeUndefined()
  const text = bytes.toString('latin1')
  const start = Number(/startxref\n(\d+)/.exec(text)?.[1])
  expect(text.slice(start, start + 4)).toBe('xref')
  const places = [...text.slice(start).matchAll(/^(\d{10}) 00000 n/gm)].map(found => Number(found[1]))
  for (const [at, place] of places.entries()) expect(text.slice(place)).toMatch(new RegExp(`^${at + 1} 0 obj\n`))
  for (const [, length, stream] of text.matchAll(/\/Length (\d+) >>\nstream\n([\s\S]*?)\nendstream/g))
    expect(stream).toHaveLength(Number(length))
  expect(text).toContain(`/Count 2 /Kids [8 0 R 10 0 R]`)
})

it('writes Latin marks by their bytes, and what the Latin fonts lack by the Chinese one', () => {
  const text = pdfOf(paper).toString('latin1')
  const bytes = (of: string) =>
    [...Buffer.from(of, 'latin1')].map(byte => `\\${byte.toString(8).padStart(3, '0')}`).join('')
  expect(text).toContain(`(${bytes('UGX 1,000.00 (net) \\ \x93paid\x94 \x96 Nakasongola')}) Tj`)
  expect(text).toContain(`<51798bc1660e> Tj`)
  expect(text).not.toContain('Akello')
  expect(text).toContain(`(${bytes(' Akello')}) Tj`)
})

it('breaks lines between words, between Chinese characters, and where one word is too long', () => {
  expect(wrapped('one two three', measured('one two', 10), 10)).toEqual(['one two', 'three'])
  expect(wrapped('借款已还清', 30, 10)).toEqual(['借款已', '还清'])
  expect(wrapped('ABCDEF', measured('ABC', 10), 10).join('')).toBe('ABCDEF')
  expect(wrapped('', 50, 10)).toEqual([''])
})
