const octet = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const v4 = new RegExp(`^${octet}(\\.${octet}){3}(/(3[0-2]|[12]?\\d))?$`)
const v6Range = /^([0-9a-f:]+)(\/(12[0-8]|1[01]\d|\d{1,2}))?$/i

/** Eight groups, or less with one gap. */
const isV6 = (text: string): boolean => {
  const parts = v6Range.exec(text)?.[1]?.split('::')
  if (!parts || parts.length > 2) return false
  const groups = parts.flatMap(part => (part === '' ? [] : part.split(':')))
  return (
    groups.every(group => /^[0-9a-f]{1,4}$/i.test(group)) &&
    (parts.length === 1 ? groups.length === 8 : groups.length < 8)
  )
}

/** Most addresses and ranges of one list. */
export const maxAddresses = 50

/** The addresses of a comma-separated text, each once. */
export const addressesIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,，;\s]+/)
      .map(one => one.trim().toLowerCase())
      .filter(Boolean),
  ),
]

/** Whether this is an internet address, or a range of them as `41.210.0.0/24`. */
export const isAddress = (text: string): boolean => v4.test(text) || isV6(text)
