/** The places for values in a text, `{amount}`, in one order whatever theirs is: equal for texts that can stand for one another. */
export const placesIn = (text: string): string =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort().join(' ')
