import { describe, expect, it } from 'vitest'
import { textRules } from './trusted-types.ts'

const { createHTML, createScriptURL } = textRules('https://console.example')

describe('J3: texts that would become markup or code of the page', () => {
  it.each([
    ['<img src=x onerror=alert(1)>', 'Element innerHTML'],
    ['<b>bold</b>', 'Element insertAdjacentHTML'],
    ['<script>alert(1)</script>', 'HTMLIFrameElement srcdoc'],
    ['a < b', 'Element innerHTML'],
  ])('are refused: %s in %s', (text, sink) => {
    expect(createHTML(text, 'TrustedHTML', sink)).toBeNull()
  })

  it('pass where they are parsed apart, and where they hold no tag', () => {
    expect(createHTML('<p>Hello</p>', 'TrustedHTML', 'DOMParser parseFromString')).toBe('<p>Hello</p>')
    expect(createHTML('[data-x]{display:none}', 'TrustedHTML', 'Element innerHTML')).toBe('[data-x]{display:none}')
  })

  it.each([
    ['/chunks/hash-abcdefgh.js', true],
    ['https://console.example/a.js', true],
    ['blob:https://console.example/1', true],
    ['https://evil.example/a.js', false],
    ['//evil.example/a.js', false],
    ['data:text/javascript,alert(1)', false],
    ['javascript:alert(1)', false],
  ])('come from our own address: %s %s', (address, passes) => {
    expect(createScriptURL(address) !== null).toBe(passes)
  })
})
