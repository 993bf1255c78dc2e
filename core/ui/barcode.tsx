import drawBarcode from 'jsbarcode'
import { useMemo } from 'react'

/** Modules of white at both ends: readers find the bars by them. */
const quietZone = 10
/** Width of a module in pixels: readers at tills take none narrower. */
const moduleWidth = 2

/** What is drawn where no element is: the modules of a text, 1 for a bar. */
type Drawn = { encodings?: { data: string }[] }

/** A text of letters and digits as a barcode (Code 128), dark on white in every theme. Load it lazily: it brings its library along. */
export const Barcode = ({ text, label, height }: { text: string; label: string; height: number }) => {
  const { size, path } = useMemo(() => {
    const drawn: Drawn = {}
    drawBarcode(drawn, text, { format: 'CODE128' })
    const modules = (drawn.encodings ?? []).map(({ data }) => data).join('')
    const bars = [...modules.matchAll(/1+/g)].map(
      ({ index, 0: bar }) => `M${index + quietZone} 0h${bar.length}v1h-${bar.length}z`,
    )
    return { size: modules.length + 2 * quietZone, path: bars.join('') }
  }, [text])
  return (
    <svg
      role="img"
      aria-label={label}
      width={size * moduleWidth}
      height={height}
      viewBox={`0 0 ${size} 1`}
      preserveAspectRatio="none"
    >
      <rect width={size} height={1} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}
