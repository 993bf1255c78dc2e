import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { refused, refusedIn, refusedInSources } from './refused-words.ts'

const words = (text: string) => refusedIn(text).map(({ word }) => word)

describe('refused words', () => {
  it.each(Object.keys(refused))('refuses %s', word => {
    expect(words(`// first line\n/** A sentence with ${word} in it. */`)).toEqual([word])
    expect(refusedIn(`\n${word}`)).toEqual([{ line: 2, word, instead: refused[word] }])
  })

  it.each([
    ['codesTold', 'told'],
    ['openHouse', 'house'],
    ['TOLD_BY', 'told'],
    ['Houses', 'house'],
    ['server/demo/house.ts', 'house'],
  ])('reads the words of the name %s', (name, word) => {
    expect(words(name)).toEqual([word])
  })

  it.each(['lighthouse', 'background', 'warehouse', 'household', 'latest'])('leaves %s alone', word => {
    expect(words(word)).toEqual([])
  })

  it('are in no source, comment, document or test', () => {
    expect(refusedInSources(path.join(import.meta.dirname, '..'))).toEqual([])
  })
})
