import { expect, it } from 'vitest'
import { at, filledRequest, isPath, isRequest } from './vendor-mapping.ts'

const values = { to: '256772000031', from: 'NILE', text: 'Say "hi"\nto \\ <to>', reference: 'MS1', user: 'nile' }

it('fills a request whatever the words hold', () => {
  const filled = filledRequest('{"message":{"to":"+<to>","body":"<text>"}}', values)
  expect(JSON.parse(filled)).toEqual({ message: { to: '+256772000031', body: values.text } })
})

it.each([
  ['{"to":"<to>","text":"<text>"}', true],
  ['{"to":<to>,"text":"<text>"}', false],
  ['{"to":"<to>"}', false],
  ['{"to":"<to>","text":"<text>","x":"<secret>"}', false],
  ['to=<to>&text=<text>', false],
  ['{"to":"<to>","text":"<text>"', false],
])('%s is a request: %s', (template, is) => expect(isRequest(template)).toBe(is))

it.each([
  ['data.messages.0.id', true],
  ['id', true],
  ['.id', false],
  ['a..b', false],
  ['a b', false],
  ['a.b.c.d.e.f.g', false],
])('%s is a path: %s', (path, is) => expect(isPath(path)).toBe(is))

it('finds plain values alone, of the body itself', () => {
  const body = { data: { messages: [{ id: 7, ok: true }] } }
  expect(at(body, 'data.messages.0.id')).toBe('7')
  expect(at(body, 'data.messages.0.ok')).toBe('true')
  expect(at(body, 'data.messages')).toBeUndefined()
  expect(at(body, 'constructor.name')).toBeUndefined()
  expect(at(body, undefined)).toBeUndefined()
})
