import { expect, it } from 'vitest'
import { addressesIn, isAddress } from './addresses.ts'

it('a list of addresses is read however it is parted, each once', () =>
  expect(addressesIn('41.210.1.2, 41.210.1.2;\n10.0.0.0/8')).toEqual(['41.210.1.2', '10.0.0.0/8']))

it.each(['41.210.1.2', '41.210.0.0/24', '2c0f:fe38::1', '2c0f:fe38::/32'])('%s is an address', text =>
  expect(isAddress(text)).toBe(true),
)

it.each(['41.210.1', '41.210.1.256', '41.210.1.2/33', 'swift.example', '1::2::3', ':::', ''])('%s is none', text =>
  expect(isAddress(text)).toBe(false),
)
