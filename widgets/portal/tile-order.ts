/** Tiles in the order that somebody gave them; what it does not name comes behind, as it was. */
export const inOrder = <T extends { key: string }>(tiles: readonly T[], order: readonly string[]): T[] => {
  const place = ({ key }: T) => (order.includes(key) ? order.indexOf(key) : order.length)
  return [...tiles].sort((a, b) => place(a) - place(b))
}

/** The keys with one of them at another place; before the first and behind the last there is none. */
export const movedTo = (keys: readonly string[], key: string, to: number): string[] => {
  const others = keys.filter(one => one !== key)
  const at = Math.max(0, Math.min(others.length, to))
  return [...others.slice(0, at), key, ...others.slice(at)]
}
