import { expect, it } from 'vitest'
import { centred, frameOf, placed, resultSize, turnedSize } from './crop-frame.ts'

const wide = { width: 400, height: 200 }

it.each([
  ['a square of a wide picture', centred, 1, { left: 100, top: 0, width: 200, height: 200 }],
  ['its left end', { ...centred, x: 0 }, 1, { left: 0, top: 0, width: 200, height: 200 }],
  ['its right end', { ...centred, x: 1 }, 1, { left: 200, top: 0, width: 200, height: 200 }],
  ['twice as large', { ...centred, zoom: 2 }, 1, { left: 150, top: 50, width: 100, height: 100 }],
  ['turned by a quarter', { ...centred, turns: 1 }, 1, { left: 0, top: 100, width: 200, height: 200 }],
  ['a banner of the same form', centred, 2, { left: 0, top: 0, width: 400, height: 200 }],
  ['a banner of a turned picture', { ...centred, turns: 3 }, 2, { left: 0, top: 150, width: 200, height: 100 }],
])('keeps %s', (_, placing, ratio, frame) => {
  expect(frameOf(wide, placing, ratio)).toEqual(frame)
})

it('never leaves the picture, however it is moved', () => {
  const far = placed(centred, { x: 7, y: -3, zoom: 90, turns: 5 })
  expect(far).toEqual({ x: 1, y: 0, zoom: 4, turns: 1 })
  const { left, top, width, height } = frameOf(wide, far, 1.5)
  const turned = turnedSize(wide, far.turns)
  expect(left + width).toBeLessThanOrEqual(turned.width)
  expect(top + height).toBeLessThanOrEqual(turned.height)
})

it('has no more pixels than the picture, nor than are wanted', () => {
  expect(resultSize(wide, centred, 1, 512)).toEqual({ width: 200, height: 200 })
  expect(resultSize({ width: 4_000, height: 3_000 }, centred, 1, 512)).toEqual({ width: 512, height: 512 })
  expect(resultSize({ width: 1, height: 900 }, centred, 2, 512)).toEqual({ width: 1, height: 1 })
})
