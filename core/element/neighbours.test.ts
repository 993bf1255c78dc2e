import { expect, test } from 'vitest'
import { neighboursOf, noteShown } from './neighbours.ts'

test('an order has those beside it of the list that it was opened from', () => {
  noteShown([{ orderNo: 'LO1' }, { orderNo: 'LO2' }, { orderNo: 'LO2' }, { orderNo: 'LO3' }])
  expect(neighboursOf('LO1')).toEqual({ before: undefined, after: 'LO2', place: 1, count: 3 })
  expect(neighboursOf('LO2')).toEqual({ before: 'LO1', after: 'LO3', place: 2, count: 3 })
  expect(neighboursOf('LO9')).toBeNull()
  noteShown([{ orderNo: 'LO2' }, { userNo: 'U1' }])
  expect(neighboursOf('LO2')).toBeNull()
})
