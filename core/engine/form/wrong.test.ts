import { expect, it } from 'vitest'
import { z } from 'zod'
import { field, unsentFile } from '../../contract/fields.ts'
import type { Translate } from '../../element/i18n.ts'
import { isKey, text } from '../../i18n/server.ts'
import { messageOf, wrongIn } from './field-words.ts'
import { wrongWith } from './wrong.ts'

const t = Object.assign((key: never, params?: never) => text('en', key, params), {
  maybe: (key: string) => (isKey(key) ? text('en', key) : undefined),
}) as unknown as Translate

it.each([
  ['nothing', field.text(), undefined, 'Please provide complete information'],
  ['an empty text', field.text(), '', 'Please provide complete information'],
  ['what the contract has words for', field.phone(), '0770', text('en', 'validation.phoneFormat')],
  ['what it has no words for', z.enum(['mtn']), 'other', text('en', 'validation.wrongValue')],
  ['a file on its way', field.file('import'), unsentFile, text('en', 'validation.fileUnsent')],
  ['a file that is there', field.file('import'), 'UP2611227K3M9Q2A', null],
  ['a good value', field.flag(), false, null],
])('%s', (_, schema, value, said) => {
  expect(wrongWith(t, schema, value)).toBe(said)
})

it.each([
  ['a key of the schema', 'validation.phoneFormat', text('en', 'validation.phoneFormat')],
  ['a key that nobody knows', 'validation.noSuchWords', text('en', 'validation.infoComplete')],
  ['words of the server', 'Data already exists', 'Data already exists'],
  ['words of the server in a language without spaces', '数据已存在', '数据已存在'],
])('says %s', (_, message, said) => {
  expect(messageOf(t, message, field.text())).toBe(said)
})

it('finds what is wrong between fields at the field that the rule names', () => {
  const input = z.strictObject({ from: field.date(), to: field.date() }).superRefine(({ from, to }, context) => {
    if (from > to) context.addIssue({ code: 'custom', path: ['to'], message: 'validation.wrongValue' })
  })
  expect(wrongIn(input, { from: '2026-03-02', to: '2026-03-01' })).toEqual({ to: 'validation.wrongValue' })
  expect(wrongIn(input, { from: '2026-03-02', to: '2026-03-03' })).toEqual({})
})
