import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalWord, outcomeOf, replaced, searcher, type Watched, withoutPersonal, wordsIn } from './sensitive-words.ts'

const word = (text: string, more: Partial<Watched> = {}): Watched => ({
  wordNo: text,
  word: text,
  wordAction: 'block',
  ...more,
})
const search = searcher(['kill', 'thief', 'mwizi', '去死', '骗子', 'we will shame you', 'ass'].map(one => word(one)))
const found = (text: string) => search(text).map(({ word, start, end }) => [word.word, text.slice(start, end)])

describe('finding words', () => {
  it.each([
    ['capitals', 'You THIEF!', 'THIEF'],
    ['wide characters', 'ｔｈｉｅｆ', 'ｔｈｉｅｆ'],
    ['characters that nobody sees', 'th\u200Bi\u00ADef', 'th\u200Bi\u00ADef'],
    ['single letters with dots', 'k.i.l.l you', 'k.i.l.l'],
    ['single letters with dashes and spaces', 'i will: k-i l-l', 'k-i l-l'],
    ['a single letter before them', 'you are a T h i e f', 'T h i e f'],
    ['a letter repeated', 'thieeeef', 'thieeeef'],
    ['a double letter repeated', 'killlll', 'killlll'],
    ['Chinese inside of other words', '你去死吧', '去死'],
    ['Chinese letters apart', '骗 子', '骗 子'],
    ['several words with odd spaces', 'We  will\nshame you', 'We  will\nshame you'],
  ])('sees through %s', (_, text, typed) => expect(found(text).map(([, at]) => at)).toEqual([typed]))

  it.each([
    ['part of a longer word', 'class, skilled, thiefs'],
    ['other words', 'please pay today, call +256 772 000 031'],
    ['nothing', ''],
  ])('leaves %s alone', (_, text) => expect(found(text)).toEqual([]))

  it('finds each of several words, in their order, the longer one first', () => {
    const both = searcher([word('kill'), word('kill you')])
    expect(both('I kill you').map(({ word }) => word.word)).toEqual(['kill you', 'kill'])
  })

  it('finds a word wherever it stands between other ones', () => {
    const filler = fc.string({ maxLength: 30 })
    fc.assert(
      fc.property(filler, filler, (before, after) => {
        expect(search(`${before} , mwizi , ${after}`).some(({ word }) => word.word === 'mwizi')).toBe(true)
      }),
    )
  })

  it('reads a long text with many words in time that grows with its length', () => {
    const many = searcher(Array.from({ length: 2_000 }, (_, at) => word(`${'a'.repeat(at % 2 === 0 ? 1 : 2)}b${at}`)))
    const started = performance.now()
    many('ab'.repeat(5_000))
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})

describe('what becomes of a text', () => {
  const mixed = searcher([
    word('refund', { wordAction: 'replace', replacement: 'repayment' }),
    word('court', { wordAction: 'warn' }),
    word('prison'),
  ])

  it('is decided by the strictest word', () => {
    expect(outcomeOf(mixed('nothing'))).toBe('pass')
    expect(outcomeOf(mixed('refund'))).toBe('replace')
    expect(outcomeOf(mixed('refund in court'))).toBe('warn')
    expect(outcomeOf(mixed('refund, court, prison'))).toBe('block')
  })

  it('replaces what is to be replaced and nothing else', () => {
    const text = 'Your REFUND, or court: refund.'
    expect(replaced(text, mixed(text))).toBe('Your repayment, or court: repayment.')
  })

  it('hides numbers and addresses and moves no other character', () => {
    const text = 'call 0772 000 031 or grace@mkopo.ug, CF90012345ABC: pay 5,000'
    const hidden = withoutPersonal(text)
    expect(hidden).toHaveLength(text.length)
    expect(hidden).not.toMatch(/0031|grace@|90012345/)
    expect(hidden).toContain('pay 5,000')
  })
})

describe('words as they are entered', () => {
  it('are one where they have the same form', () => {
    expect(wordsIn('Thief, thief，骗子\nＴＨＩＥＦ,, ')).toEqual(['Thief', '骗子'])
    expect(normalWord(' K-I-L-L ')).toBe('kill')
  })
})
