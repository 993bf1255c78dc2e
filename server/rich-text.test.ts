import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { isEmptyText, sanitise } from './rich-text.ts'

describe('rich text', () => {
  it('keeps what structures a text, and well-formed links of the web', () => {
    const text =
      '<h3>Rates</h3><p>From <b>Monday</b>:<br>see <a href="https://mkopo.example/rates?a=1">the list</a></p><ul><li>one</li></ul>'
    expect(sanitise(text)).toBe(text)
  })

  it.each([
    ['<script>alert(1)</script>x', 'x'],
    ['<p onclick="alert(1)" style="position:fixed">x</p>', '<p>x</p>'],
    ['<img src=x onerror=alert(1)>x', 'x'],
    ['<a href="javascript:alert(1)">x</a>', 'x'],
    ['<a href="&#106;avascript:alert(1)">x</a>', 'x'],
    ['<a href="http://mkopo.example">x</a>', 'x'],
    [
      '<a href=" https://mkopo.example/&quot;onmouseover=alert(1)">x</a>',
      '<a href="https://mkopo.example/%22onmouseover=alert(1)">x</a>',
    ],
    ['<a title="href=" href="https://mkopo.example/">x</a>', '<a href="https://mkopo.example/">x</a>'],
    ['<svg><style><img src=x onerror=alert(1)></style></svg>x', 'x'],
    ['<scr<script>ipt>alert(1)</script>', 'ipt&#62;alert(1)'],
    ['<!-- <p> --><b>x', '<b>x</b>'],
    ['<!--><img src=x onerror=alert(1)>-->', ''],
    ['<iframe src="https://x.example">y</iframe>x', 'x'],
    ['1 < 2 && "3" > 2', '1 &#60; 2 &#38;&#38; &#34;3&#34; &#62; 2'],
    ['<p>&lt;script&gt;</p>', '<p>&#60;script&#62;</p>'],
    ['<b>x<i>y</b>z</i>', '<b>x<i>y</i></b>z'],
    ['</p>x<unknown>y</unknown>', 'xy'],
    ['<math><mtext><p>x', ''],
  ])('%s becomes %s', (given, shown) => {
    expect(sanitise(given)).toBe(shown)
  })

  it('has nothing but known tags whatever comes in, and changes nothing twice', () => {
    const piece = fc.oneof(
      fc.constantFrom('<', '>', '</', '"', "'", '&', '&#', ';', '=', ' ', '<!--', '-->', 'href', 'https://x.example'),
      fc.constantFrom(
        '<p>',
        '</p>',
        '<a ',
        '<script>',
        '</script>',
        '<svg>',
        '<b/>',
        '<br>',
        'javascript:',
        'onerror=',
      ),
      fc.string({ maxLength: 6 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), pieces => {
        const shown = sanitise(pieces.join(''))
        const left = shown.replace(
          /<\/?(p|br|b|strong|i|em|u|s|h3|h4|ul|ol|li|blockquote|a)>|<a href="https:\/\/[^"<>]*">/g,
          '',
        )
        expect(left).not.toMatch(/[<>]/)
        expect(sanitise(shown)).toBe(shown)
      }),
      { numRuns: 2000 },
    )
  })
})

test('tags alone are no text', () => {
  expect(['', '<p> </p>', '<p>&nbsp;<br></p>'].map(isEmptyText)).toEqual([true, true, true])
  expect(isEmptyText('<p>x</p>')).toBe(false)
})
