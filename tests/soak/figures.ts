/** The value below which so many percent of all lie; nothing where there are none. */
export const percentile = (values: readonly number[], part: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((part / 100) * sorted.length) - 1)] ?? 0
}

/** How much `y` grows with one `x`, by least squares. */
export const slopeOf = (points: readonly (readonly [number, number])[]): number => {
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const spread = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0)
  return spread === 0 ? 0 : points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0) / spread
}
