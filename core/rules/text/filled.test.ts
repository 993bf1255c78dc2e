import { expect, test } from 'vitest'
import { filled, placeholdersIn } from './filled.ts'

test('a text says which values it leaves room for, and is filled with them', () => {
  const text = 'Dear {customerName}, you owe {total}, {customerName}. { total } is due.'
  expect(placeholdersIn(text)).toEqual(['customerName', 'total'])
  expect(filled(text, { customerName: 'Akello', total: 'UGX 5' })).toBe(
    'Dear Akello, you owe UGX 5, Akello. UGX 5 is due.',
  )
  expect(filled('{nobody}', {})).toBe('{nobody}')
  expect(filled('{a}', { a: '{b}', b: 'x' })).toBe('{b}')
})
