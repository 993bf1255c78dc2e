import { describe, expect, it } from 'vitest'
import { postbackFlaw, postbackHost, postbackLink } from './channel-postback.ts'

describe('an address that a network is called at', () => {
  it.each([
    'https://track.network.example/pb?cid={clickId}&ev={event}&t={time}',
    'https://network.example/pb/{clickId}',
    'https://network.example/pb',
  ])('is taken: %s', address => expect(postbackFlaw(address)).toBeNull())

  it.each([
    ['http://network.example/pb', 'validation.postbackUrl'],
    ['https://user@network.example/pb', 'validation.postbackUrl'],
    ['https://network.example:8443/pb', 'validation.postbackUrl'],
    ['no address', 'validation.postbackUrl'],
    ['https://127.0.0.1/pb', 'validation.postbackInside'],
    ['https://0x7f000001/pb', 'validation.postbackInside'],
    ['https://2130706433/pb', 'validation.postbackInside'],
    ['https://10.0.0.8/pb', 'validation.postbackInside'],
    ['https://169.254.169.254/latest/meta-data', 'validation.postbackInside'],
    ['https://[::1]/pb', 'validation.postbackInside'],
    ['https://localhost/pb', 'validation.postbackInside'],
    ['https://db.internal/pb', 'validation.postbackInside'],
    ['https://ledger/pb', 'validation.postbackInside'],
    ['https://network.example/pb?p={phone}', 'validation.postbackMacro'],
    ['https://network.example/pb?p={clickId', 'validation.postbackMacro'],
    ['https://{clickId}.network.example/pb', 'validation.postbackUrl'],
  ])('is refused: %s', (address, words) => expect(postbackFlaw(address)).toBe(words))

  it('is filled with what may leave, in the form of an address', () => {
    const link = postbackLink('https://n.example/p?c={clickId}&e={event}&t={time}', {
      clickId: 'C&1',
      event: 'register',
      time: '2026-03-02T07:00:00.000Z',
    })
    expect(link).toBe('https://n.example/p?c=C%261&e=register&t=2026-03-02T07%3A00%3A00.000Z')
    expect(postbackHost(link)).toBe('n.example')
  })
})
