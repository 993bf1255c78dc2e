import { describe, expect, it } from 'vitest'
import { allowedLink, hostsIn, hostsMeet, isHost, withClick } from './hosts.ts'

describe('hosts of a platform', () => {
  it('are read from a list, in lower case, each once', () => {
    expect(hostsIn('Apply.QuickLend.example, www.quicklend.example;apply.quicklend.example')).toEqual([
      'apply.quicklend.example',
      'www.quicklend.example',
    ])
  })

  it.each(['apply.quicklend.example', '*.quicklend.example', 'a-1.co.ug'])('take %s', name =>
    expect(isHost(name)).toBe(true),
  )

  it.each([
    'https://a.example',
    'a.example/x',
    'a.example:8443',
    '*.com',
    'localhost',
    '10.0.0.1',
    'a..example',
    '-a.example',
    '*',
    'a@b.example',
  ])('refuse %s', name => expect(isHost(name)).toBe(false))

  it('meet where one may name the other', () => {
    expect(hostsMeet('a.example.ug', 'a.example.ug')).toBe(true)
    expect(hostsMeet('*.example.ug', 'a.example.ug')).toBe(true)
    expect(hostsMeet('a.b.example.ug', '*.example.ug')).toBe(true)
    expect(hostsMeet('a.example.ug', 'b.example.ug')).toBe(false)
    expect(hostsMeet('*.example.ug', 'a.example.com')).toBe(false)
  })
})

describe('a link to a partner', () => {
  const hosts = ['apply.quicklend.example', '*.fast.example']

  it.each(['https://apply.quicklend.example/a?b=1', 'https://eu.fast.example/'])('may be %s', link =>
    expect(allowedLink(link, hosts)).not.toBeNull(),
  )

  it.each([
    'http://apply.quicklend.example/',
    'javascript:alert(1)',
    'https://apply.quicklend.example@evil.example/',
    'https://user:x@apply.quicklend.example/',
    'https://apply.quicklend.example:8443/',
    'https://apply.quicklend.example/#x',
    'https://quicklend.example/',
    'https://fast.example/',
    'https://apply.quicklend.example.evil.example/',
    'https://evil.example\\apply.quicklend.example/',
    '//apply.quicklend.example/',
    '',
  ])('is never %s', link => expect(allowedLink(link, hosts)).toBeNull())

  it('carries the number of the click, whatever stood there', () => {
    expect(withClick('https://a.example/x?clickId=1&b=2', 'C 9')).toBe('https://a.example/x?clickId=C+9&b=2')
  })
})
