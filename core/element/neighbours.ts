/** The order numbers of the list that was last clicked in, as it shows them. */
let shown: readonly string[] = []

/** Keeps of which orders a list is: one of them may be opened now. */
export const noteShown = (rows: readonly Record<string, unknown>[]) => {
  shown = [...new Set(rows.flatMap(({ orderNo }) => (typeof orderNo === 'string' ? [orderNo] : [])))]
}

/** Those before and after an order in the list that it was opened from; null where it was opened otherwise. */
export const neighboursOf = (orderNo: string) => {
  const at = shown.indexOf(orderNo)
  if (at < 0 || shown.length < 2) return null
  return { before: shown[at - 1], after: shown[at + 1], place: at + 1, count: shown.length }
}
