import { expect, it } from 'vitest'
import { cardOf } from './card-file.ts'

it('a scorecard file becomes the rows of the grid', () => {
  const file = {
    basePoints: 600,
    scoreMin: 300,
    scoreMax: 850,
    attributes: [
      {
        fact: 'customer.age',
        bins: [
          { to: 24, points: -10 },
          { from: 24, points: 20 },
        ],
        missing: 0,
      },
      {
        fact: 'device.rooted',
        bins: [
          { value: true, points: -60 },
          { value: false, points: 0 },
        ],
        missing: 0,
      },
    ],
  }
  expect(cardOf(JSON.stringify(file))).toEqual({
    basePoints: 600,
    scoreMin: 300,
    scoreMax: 850,
    bins: [
      { fact: 'customer.age', binTo: '24', points: -10 },
      { fact: 'customer.age', binFrom: '24', points: 20 },
      { fact: 'customer.age', points: 0 },
      { fact: 'device.rooted', binValue: 'true', points: -60 },
      { fact: 'device.rooted', binValue: 'false', points: 0 },
      { fact: 'device.rooted', points: 0 },
    ],
  })
})

it.each(['', '[]', '{"basePoints":"600"}', '{"basePoints":600,"scoreMin":300,"scoreMax":850,"attributes":[]}'])(
  '%s is no scorecard',
  json => expect(cardOf(json)).toBeNull(),
)
