import { expect, it } from 'vitest'
import { isWeaker, plainSettings, type SensitiveSettings } from './sensitive.ts'

const strict: SensitiveSettings = {
  dataClass: 'C4',
  listMask: 'full',
  revealHourCap: 20,
  revealDayCap: 100,
  reasonRequired: true,
  codeRequired: true,
}

it.each([
  ['a lower class', { dataClass: 'C3' }],
  ['a looser mask', { listMask: 'spec' }],
  ['a higher cap of an hour', { revealHourCap: 21 }],
  ['a higher cap of a day', { revealDayCap: 101 }],
  ['no reason', { reasonRequired: false }],
  ['no code', { codeRequired: false }],
] as [string, Partial<SensitiveSettings>][])(
  '%s is weaker, whatever else is stricter, and its opposite is not',
  (_, change) => {
    expect(isWeaker(strict, { ...strict, revealHourCap: 1, revealDayCap: 1, ...change })).toBe(true)
    expect(isWeaker({ ...strict, ...change }, strict)).toBe(false)
  },
)

it('nothing changed is not weaker', () => {
  expect(isWeaker(plainSettings, plainSettings)).toBe(false)
})
