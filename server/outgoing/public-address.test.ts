import { expect, it } from 'vitest'
import { isPublicAddress } from './public-address.ts'

it.each(['41.210.128.1', '8.8.8.8', '2a00:1450:4009:800::200e'])('%s is public', address =>
  expect(isPublicAddress(address)).toBe(true),
)

it.each([
  ...[
    '127.0.0.1',
    '127.9.9.9',
    '10.1.2.3',
    '172.31.255.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
  ],
  ...[
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
    'fe80::1',
    'fd00::1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'no address',
    '',
  ],
])('%s is not', address => expect(isPublicAddress(address)).toBe(false))
