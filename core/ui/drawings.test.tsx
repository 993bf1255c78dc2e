import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
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
