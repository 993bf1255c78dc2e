import { expect, it } from 'vitest'
import { networkOf } from './network.ts'

it.each([
  ['256772000031', 'mtn'],
  ['256392000031', 'mtn'],
  ['256701234567', 'airtel'],
  ['256204000000', 'airtel'],
  ['256414000000', 'other'],
  ['', 'other'],
])('%s is of %s', (phone, network) => {
  expect(networkOf(phone)).toBe(network)
})
