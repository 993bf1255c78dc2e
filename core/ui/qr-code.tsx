import { useMemo } from 'react'
import { encode } from 'uqr'

/** Modules of white around a code: readers find it by them. */
const quietZone = 4

/** A text as a QR code. It is dark on white in every theme, because many readers take nothing else. */
export const QrCode = ({ text, label, side }: { text: string; label: string; side: number }) => {
  const { size, path } = useMemo(() => {
    const { data, size } = encode(text, { ecc: 'M', border: quietZone })
    const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    return { size, path: dark.join('') }
  }, [text])
  return (
    <svg role="img" aria-label={label} width={side} height={side} viewBox={`0 0 ${size} ${size}`}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}
