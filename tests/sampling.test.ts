import { expect, it } from 'vitest'
import { drawn } from './sampling.ts'

const many = Array.from({ length: 200 }, (_, at) => `noun ${at}`)
const of = (isChanged: (one: string) => boolean) => drawn('sampling', many, { most: 20, nameOf: one => one, isChanged })

it('takes no more than its number, however much was changed, and leaves places for the seed', () => {
  expect(of(() => true)).toMatchObject({ changed: 15 })
  expect(of(() => true).taken).toHaveLength(20)
  expect(of(() => false).taken).toHaveLength(20)
})

it('takes all that was changed while there is room, in the order that was given', () => {
  const { taken, changed } = of(one => ['noun 3', 'noun 150'].includes(one))
  expect(changed).toBe(2)
  expect(taken).toEqual(expect.arrayContaining(['noun 3', 'noun 150']))
  expect(taken).toEqual(many.filter(one => taken.includes(one)))
})
