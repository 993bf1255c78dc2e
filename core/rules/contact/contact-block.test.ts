import { describe, expect, it } from 'vitest'
import {
  type BlockEntry,
  type BlockScope,
  blockScopes,
  contactKinds,
  contactMedia,
  covers,
  forbids,
  numbersIn,
  refusalOf,
  standardPhone,
} from './contact-block.ts'

const entry = (blockScope: BlockScope, change: Partial<BlockEntry> = {}): BlockEntry => ({
  book: 'contact',
  blockScope,
  blockReason: 'complaint',
  ...change,
})
const uses = contactKinds.flatMap(kind => contactMedia.map(medium => ({ kind, medium })))
const forbidden = (of: BlockEntry, own = false) =>
  uses.filter(use => forbids(of, use, own)).map(({ kind, medium }) => `${kind} ${medium}`)

describe('a number on the do-not-contact list', () => {
  it('is left alone in what its scope says', () => {
    expect(forbidden(entry('collection'))).toEqual(
      ['reminder', 'collection'].flatMap(kind => contactMedia.map(medium => `${kind} ${medium}`)),
    )
    expect(forbidden(entry('telemarketing'))).toEqual(['marketing call', 'marketing robot'])
    expect(forbidden(entry('marketing'))).toEqual(['marketing text'])
    expect(forbidden(entry('all'))).toHaveLength(uses.length)
  })

  it('still gets codes, receipts and decisions where it is the own number of a customer', () => {
    for (const scope of blockScopes) expect(forbidden(entry(scope), true).join()).not.toContain('service')
    expect(forbidden(entry('all'), true)).toHaveLength(uses.length - contactMedia.length)
  })

  it('of telemarketing gets no marketing whatever the medium, and everything else', () => {
    expect(forbidden(entry('all', { book: 'tele' }))).toEqual(contactMedia.map(medium => `marketing ${medium}`))
  })

  it('opted out only where it asked itself, and only of marketing', () => {
    const asked = entry('all', { blockReason: 'asked_to_stop' })
    expect(refusalOf(asked, { kind: 'marketing', medium: 'text' })).toBe('opted_out')
    expect(refusalOf(asked, { kind: 'collection', medium: 'call' })).toBe('blacklisted')
    expect(refusalOf(entry('all'), { kind: 'marketing', medium: 'text' })).toBe('blacklisted')
  })

  it('is covered by a wider scope', () => {
    for (const scope of blockScopes) expect(covers('all', scope)).toBe(true)
    expect(covers('collection', 'all')).toBe(false)
    expect(covers('marketing', 'telemarketing')).toBe(false)
  })
})

describe('a number as people write it', () => {
  it('is put into one form', () => {
    for (const text of ['0772 123 456', '+256772123456', '256772123456', '00256-772-123456', '(0772) 123.456'])
      expect(standardPhone(text), text).toBe('256772123456')
    for (const text of ['', '0', '2560772123456', '25677212345', '255772123456', 'CM92012345ABCD'])
      expect(standardPhone(text), text).toBe(null)
  })

  it('stands one a line or after a comma, each once', () => {
    expect(numbersIn('0772123456, 0772123457\n0772123456\n\n；0772123458')).toEqual([
      '0772123456',
      '0772123457',
      '0772123458',
    ])
  })
})
