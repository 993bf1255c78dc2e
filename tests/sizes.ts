/** What a suite was asked for on its command line: `npm run races -- --rounds 100` is `MKOPO_ROUNDS=100`. */
const asked = (name: string): string | undefined => process.env[`MKOPO_${name.toUpperCase()}`] || undefined

/** A number of the command line, or what every change is tested with. */
export const sizeOf = (
  name: 'cases' | 'parallel' | 'rounds' | 'embedded' | 'postgres' | 'rows' | 'seed' | 'orders' | 'days',
  usual: number,
): number => {
  const given = Number(asked(name) ?? usual)
  if (!Number.isSafeInteger(given) || given < 0) throw new Error(`--${name} takes a whole number`)
  return given
}

/** Whether something was chosen on the command line, or nothing was. */
export const isChosen = (name: 'only' | 'endpoint' | 'list', ...of: string[]): boolean => {
  const given = asked(name)
  return given === undefined || of.some(one => one.includes(given))
}

/** Whether everything is tested at full size: `npm run test:all`. */
export const isFull = asked('all') !== undefined
