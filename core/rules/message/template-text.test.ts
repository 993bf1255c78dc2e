import { describe, expect, it } from 'vitest'
import { debtIn, fill, hasLink, isWellFormed, placesIn } from './template-text.ts'

describe('the text of a message', () => {
  it('names its values, each once', () => {
    expect(placesIn('{name}, pay {amountDue} by {dueDate}. {name}!')).toEqual(['name', 'amountDue', 'dueDate'])
  })
  it.each([
    ['{name} pays', true],
    ['{name pays', false],
    ['{na me}', false],
    ['{} pays', false],
    ['{{name}}', false],
  ])('is of the right form: %s %s', (text, is) => expect(isWellFormed(text)).toBe(is))

  it('is never sent with a hole in it', () => {
    expect(fill('{name}, pay {amountDue}', { name: 'Grace', amountDue: '5,000' })).toEqual({ text: 'Grace, pay 5,000' })
    expect(fill('{name}, pay {amountDue}', { name: 'Grace', amountDue: '' })).toEqual({ missing: ['amountDue'] })
  })
  it('takes a value as it is', () => expect(fill('{name}', { name: '$& {x}' })).toEqual({ text: '$& {x}' }))
  it.each(['see https://x.example', 'HTTP://x', 'www.x.example'])('holds a link: %s', text =>
    expect(hasLink(text)).toBe(true),
  )
  it('holds none', () => expect(hasLink('Pay at www or {payLink}')).toBe(false))

  it('says to nobody else that the customer owes money', () => {
    const debt = { places: ['amountDue'], words: ['debt', 'mkopo', '欠款'] }
    expect(debtIn('Ask {customerName} to call us', debt)).toEqual([])
    expect(debtIn('Ask them to pay {amountDue}, a DEBT', debt)).toEqual(['{amountDue}', 'debt'])
    expect(debtIn('indebted friends, 他的欠款', debt)).toEqual(['欠款'])
  })
})
