import { expect, it } from 'vitest'
import { clientAddress, isRange } from './client-address.ts'

const behind = clientAddress(['10.0.0.0/8', '192.0.2.7', 'fd00::/8'])

it.each([
  ['nobody trusts a stranger', '203.0.113.9', '1.1.1.1', '203.0.113.9'],
  ['a trusted proxy is believed', '10.1.2.3', '203.0.113.9', '203.0.113.9'],
  ['an address that is given as a range of one', '192.0.2.7', '203.0.113.9', '203.0.113.9'],
  ['its neighbor is not', '192.0.2.8', '203.0.113.9', '192.0.2.8'],
  ['what a client wrote itself stands left of what the proxy saw', '10.1.2.3', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
  ['proxies behind each other', '10.1.2.3', '1.1.1.1, 203.0.113.9, 10.9.9.9', '203.0.113.9'],
  ['only proxies: the farthest', '10.1.2.3', '10.8.8.8, 10.9.9.9', '10.8.8.8'],
  ['no header', '10.1.2.3', null, '10.1.2.3'],
  ['an empty header', '10.1.2.3', '', '10.1.2.3'],
  ['no address', '10.1.2.3', 'unknown', '10.1.2.3'],
  ['an address behind no address', '10.1.2.3', '203.0.113.9, unknown', '10.1.2.3'],
  ['a port', '10.1.2.3', '203.0.113.9:4711', '203.0.113.9'],
  ['IPv6 with a port', 'fd00::1', '[2001:DB8::1]:4711', '2001:db8::1'],
  ['IPv4 as the socket of both kinds shows it', '::ffff:10.1.2.3', '::ffff:203.0.113.9', '203.0.113.9'],
])('%s', (_, socket, forwarded, client) => {
  expect(behind(socket, forwarded)).toBe(client)
})

it('believes nobody where no proxy is trusted', () => {
  expect(clientAddress([])('10.1.2.3', '203.0.113.9')).toBe('10.1.2.3')
})

it.each([
  ['10.0.0.0/8', true],
  ['::1', true],
  ['2001:db8::/32', true],
  ['10.0.0.0/33', false],
  ['10.0.0/8', false],
  ['proxy.example', false],
  ['', false],
])('%s as a range: %s', (text, is) => {
  expect(isRange(text)).toBe(is)
})
