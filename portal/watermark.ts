const tile = { width: 360, height: 200 }

/** Words as a faint picture that may be repeated over a page. */
export const watermarkOf = (words: string): string => {
  const safe = words.replace(/[<>&]/g, ' ')
  const text = `<text x="20" y="150" transform="rotate(-20 20 150)" font-family="sans-serif" font-size="14" fill="#808080" fill-opacity="0.18">${safe}</text>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${tile.width}" height="${tile.height}">${text}</svg>`
  return `url("data:image/svg+xml,${encodeURIComponent(svg)}")`
}
