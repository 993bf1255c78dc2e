import { describe, expect, it } from 'vitest'
import { isVisible, visibleLine, visibleProse } from './text.ts'

const unseen = ['\u200B', '\u202E', '\u2066', '\u2069', '\u061C', '\u2060', '\uFEFF', '\u00AD', '\u180E', '\u{E0041}']
const joiners = ['\u200C', '\u200D']

describe('characters that nobody sees', () => {
  it.each([...unseen, ...joiners])('%j is found and taken out of a line', character => {
    expect(isVisible(`LO1${character}23`)).toBe(false)
    expect(visibleLine(`LO1${character}23`)).toBe('LO123')
  })

  it('are taken out of running text, but for joiners', () => {
    for (const character of unseen) expect(visibleProse(`a${character}b`)).toBe('ab')
    expect(visibleProse('👨‍👩‍👧')).toBe('👨‍👩‍👧')
  })

  it.each(['Nakato Aisha', '阿明娜', 'Nyinabahŋo', 'é', '😀', 'a\tb\nc'])('are none in %j', text => {
    expect(isVisible(text)).toBe(true)
    expect(visibleLine(text)).toBe(text)
  })
})
