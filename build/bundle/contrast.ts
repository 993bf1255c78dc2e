type Rgb = [number, number, number]

const rgb = (hex: string): Rgb => {
  const n = Number.parseInt(hex.slice(1), 16)
  return [n >> 16, (n >> 8) & 255, n & 255]
}

const toHex = (c: Rgb) => `#${c.map(v => Math.round(v).toString(16).padStart(2, '0')).join('')}`

const luminance = (hex: string) => {
  const [r, g, b] = rgb(hex).map(v =>
    v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4,
  ) as Rgb
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** WCAG contrast ratio of two `#rrggbb` colours. */
export const contrast = (a: string, b: string) => {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

/** The colour itself, or its nearest darker shade that reaches the ratio against `other`. */
export const deepen = (hex: string, other: string, ratio: number) => {
  for (let k = 1; k > 0; k -= 0.01) {
    const shade = toHex(rgb(hex).map(v => v * k) as Rgb)
    if (contrast(shade, other) >= ratio) return shade
  }
  throw new Error(`no shade of ${hex} reaches ${ratio} against ${other}`)
}
