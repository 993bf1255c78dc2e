import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { isEmptyText, picturesIn, sanitise } from './rich-text.ts'

describe('J3: rich text', () => {
  it('keeps what structures a text, and well-formed links of the web', () => {
    const text =
      '<h3>Rates</h3><p>From <b>Monday</b>:<br />see <a href="https://mkopo.example/rates?a=1">the list</a></p><ul><li>one</li></ul>'
    expect(sanitise(text)).toBe(text)
  })

  it.each([
    ['<script>alert(1)</script>x', 'x'],
    ['<p onclick="alert(1)" style="position:fixed" class="x" id="y">x</p>', '<p>x</p>'],
    ['<img src=x onerror=alert(1)>x', 'x'],
    ['<img src="https://x.example/y.png" alt="y">x', 'x'],
    ['<img data-upload="UP1&quot; onerror=1" alt="y">x', 'x'],
    [
      '<img data-upload="UP2611ABC" src="x" onload="1" alt="A &quot;map&quot;">',
      '<img data-upload="UP2611ABC" alt="A &quot;map&quot;" />',
    ],
    ['<a href="javascript:alert(1)">x</a>', 'x'],
    ['<a href="&#106;avascript:alert(1)">x</a>', 'x'],
    ['<a href="java\tscript:alert(1)">x</a>', 'x'],
    ['<a href="//mkopo.example">x</a>', 'x'],
    ['<a href="http://mkopo.example">x</a>', 'x'],
    [
      '<a href=" https://mkopo.example/&quot;onmouseover=alert(1)">x</a>',
      '<a href="https://mkopo.example/%22onmouseover=alert(1)">x</a>',
    ],
    ['<a title="href=" target="_top" href="https://mkopo.example/">x</a>', '<a href="https://mkopo.example/">x</a>'],
    ['<svg><style><img src=x onerror=alert(1)></style></svg>x', 'x'],
    ['<!--><img src=x onerror=alert(1)>-->', '--&gt;'],
    ['<iframe src="https://x.example"></iframe><form action="/"><input></form>x', 'x'],
    ['1 < 2 && "3" > 2', '1 &lt; 2 &amp;&amp; "3" &gt; 2'],
    ['<p>&lt;script&gt;</p>', '<p>&lt;script&gt;</p>'],
    ['</p>x<unknown>y</unknown>', '<p></p>xy'],
  ])('%s becomes %s', (given, shown) => {
    expect(sanitise(given)).toBe(shown)
  })

  it('reads wrong nesting the same the first time and the next', () => {
    const once = sanitise('<p><svg><p>')
    expect(sanitise(once)).toBe(once)
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
          /<\/?(p|b|strong|i|em|u|s|h3|h4|ul|ol|li|blockquote|a)>|<br \/>|<a href="https:\/\/[^"<>]*">/g,
          '',
        )
        expect(left).not.toMatch(/[<>]/)
        expect(sanitise(shown)).toBe(shown)
      }),
      { numRuns: 1000 },
    )
  })
})

test('tags alone are no text', () => {
  expect(['', '<p> </p>', '<p>&nbsp;<br></p>'].map(isEmptyText)).toEqual([true, true, true])
  expect(isEmptyText('<p>x</p>')).toBe(false)
  expect(isEmptyText('<p><img data-upload="UP1" alt="" /></p>')).toBe(false)
})

test('pictures are known by their uploads, each once', () => {
  const shown = sanitise('<img data-upload="UP1"><p>x</p><img data-upload="UP2"><img data-upload="UP1">')
  expect(picturesIn(shown)).toEqual(['UP1', 'UP2'])
})
