import { expect, it } from 'vitest'
import { metersBetween, onPlane } from './distance.ts'

const kampala = { latitude: 0.3136, longitude: 32.5811 }
const entebbe = { latitude: 0.0512, longitude: 32.4637 }

it('measures the way between two places', () => {
  expect(metersBetween(kampala, kampala)).toBe(0)
  expect(metersBetween(kampala, entebbe)).toBeGreaterThan(31_500)
  expect(metersBetween(kampala, entebbe)).toBeLessThan(32_500)
  expect(metersBetween(kampala, entebbe)).toBe(metersBetween(entebbe, kampala))
})

it('lays places on a plane with the same distances', () => {
  const [first, second] = onPlane([kampala, entebbe])
  expect(first).toEqual({ east: 0, south: 0 })
  expect(second?.south).toBeGreaterThan(0)
  expect(second?.east).toBeLessThan(0)
  const way = Math.hypot(second?.east ?? 0, second?.south ?? 0)
  expect(Math.abs(way - metersBetween(kampala, entebbe))).toBeLessThan(50)
  expect(onPlane([])).toEqual([])
})
