import { expect, it } from 'vitest'
import { finishOf } from './sending-time.ts'

const window = { from: '08:00', to: '20:00' }
const at = (text: string) => new Date(`${text}+03:00`)

it('ends at its pace within the hours', () => {
  expect(finishOf(window, at('2026-03-02T09:00'), 18_240, 600)).toEqual(at('2026-03-02T09:31'))
})

it('goes on the next morning', () => {
  expect(finishOf(window, at('2026-03-02T19:58'), 3_000, 600)).toEqual(at('2026-03-03T08:03'))
})

it('waits for the hours to begin', () => {
  expect(finishOf(window, at('2026-03-02T22:00'), 600, 600)).toEqual(at('2026-03-03T08:01'))
})
