import { expect, test } from 'vitest'
import { blockReader, pauseBefore } from './event-stream.ts'

test('blocks are read wherever the text is cut, comments are passed over', () => {
  const whole = 'id: 7-1\nevent: queue.changed\ndata: {"a":1}\n\nid: 8-0\n: beat\n\nevent: ready\ndata: {}\n\n'
  const expected = [
    { id: '7-1', event: 'queue.changed', data: '{"a":1}' },
    { id: '8-0', event: undefined, data: '' },
    { id: undefined, event: 'ready', data: '{}' },
  ]
  for (let cut = 0; cut <= whole.length; cut++) {
    const read = blockReader()
    expect([...read(whole.slice(0, cut)), ...read(whole.slice(cut))]).toEqual(expected)
  }
})

test('lines of data belong together', () => {
  expect(blockReader()('data: a\r\ndata:b\r\n\r\n')).toEqual([{ id: undefined, event: undefined, data: 'a\nb' }])
})

test('pauses double up to half a minute, and chance takes at most half of one', () => {
  expect([0, 1, 2, 5, 50].map(attempt => pauseBefore(attempt, 1))).toEqual([1000, 2000, 4000, 30_000, 30_000])
  expect(pauseBefore(2, 0)).toBe(2000)
})
