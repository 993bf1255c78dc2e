import pg from 'pg'

const oid = { int8: 20, date: 1082, timestamptz: 1184, numeric: 1700 } as const
const arrayOid = { int8: 1016, date: 1182, timestamptz: 1185, numeric: 1231 } as const

/** `2026-11-20 09:40:56.5+00` as ISO in UTC: three decimals, or six where the database keeps more. */
export const instantOf = (text: string): string => {
  const match = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?\+00$/.exec(text)
  if (!match) throw new RangeError(`not an instant in UTC: ${text}`)
  const [, date, time, fraction = ''] = match
  return `${date}T${time}.${fraction.padEnd(fraction.length > 3 ? 6 : 3, '0')}Z`
}

const asText = (text: string): string => text

const asNumber = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} is out of the range of a number`)
  return value
}

/** Parser of an array whose elements contain no comma. */
const listOf =
  <T>(parse: (text: string) => T) =>
  (text: string): (T | null)[] =>
    text === '{}'
      ? []
      : text
          .slice(1, -1)
          .split(',')
          .map(entry => (entry === 'NULL' ? null : parse(entry.replaceAll('"', ''))))

/** How values leave the database, on every engine: numeric and dates as text, instants as ISO text, bigint as number. */
export const databaseTypes = new pg.TypeOverrides()
databaseTypes.setTypeParser(oid.int8, asNumber)
databaseTypes.setTypeParser(oid.numeric, asText)
databaseTypes.setTypeParser(oid.date, asText)
databaseTypes.setTypeParser(oid.timestamptz, instantOf)
databaseTypes.setTypeParser(arrayOid.int8, listOf(asNumber))
databaseTypes.setTypeParser(arrayOid.numeric, listOf(asText))
databaseTypes.setTypeParser(arrayOid.date, listOf(asText))
databaseTypes.setTypeParser(arrayOid.timestamptz, listOf(instantOf))
