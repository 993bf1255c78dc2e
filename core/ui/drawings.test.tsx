import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Barcode } from './barcode.tsx'
import { Bars } from './bars.tsx'
import { QrCode } from './qr-code.tsx'

const script = '</title><img src=x onerror="window.hacked=1"><script>1</script>'

test('J8: what a chart or a QR code is labelled with stays text, and what a QR code holds is drawn alone', () => {
  const bars = renderToStaticMarkup(
    <Bars label={script} bars={[{ name: script, value: 3, label: script }]} every={1} />,
  )
  const code = renderToStaticMarkup(<QrCode text={script} label={script} side={120} />)
  for (const drawn of [bars, code]) {
    expect(drawn).toContain('&lt;img src=x')
    expect(drawn).not.toMatch(/<(img|script)/)
  }
  // Once as the name of the drawing; what it holds are squares.
  expect(code.match(/onerror/g)).toHaveLength(1)
})

test('a code is drawn as bars that a reader of Code 128 takes, with white on both sides', () => {
  const drawn = renderToStaticMarkup(<Barcode text="7301554821" label="Barcode of 7301554821" height={64} />)
  // Ten digits in pairs: start, five symbols and a check of 11 modules each, and a stop of 13.
  const modules = 11 + 5 * 11 + 11 + 13
  expect(drawn).toContain(`viewBox="0 0 ${modules + 20} 1"`)
  expect(drawn).toContain(`d="M10 0h2v1h-2z`)
  expect(drawn).toContain('aria-label="Barcode of 7301554821"')
})
