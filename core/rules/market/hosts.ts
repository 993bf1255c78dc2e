const hostFormat = /^(\*\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z]{2,24}$/

/** Most hosts that one platform leads to. */
export const maxHosts = 20

/** The host names of a comma-separated text, in lower case, each once. */
export const hostsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,，;\s]+/)
      .map(one => one.trim().toLowerCase())
      .filter(Boolean),
  ),
]

/**
 * Whether this names a host, or with `*.` all hosts below one: no scheme, path, port or address, and nothing as wide as a whole
 * top-level domain.
 */
export const isHost = (name: string): boolean =>
  name.length <= 253 && hostFormat.test(name) && name.replace('*.', '').includes('.')

const covers = (allowed: string, host: string) =>
  allowed.startsWith('*.') ? host.endsWith(allowed.slice(1)) : host === allowed

/** Whether two entries may name one host. */
export const hostsMeet = (one: string, other: string): boolean =>
  one === other || covers(one, other.replace('*.', '')) || covers(other, one.replace('*.', ''))

/** The address of a link that may be followed: https, an allowed host, no user, port or fragment; null for anything else. */
export const allowedLink = (link: string, hosts: readonly string[]): URL | null => {
  if (!URL.canParse(link)) return null
  const url = new URL(link)
  const plain = url.protocol === 'https:' && !url.username && !url.password && !url.port && !url.hash
  // What the browser would read otherwise than it is written is no address that people have checked.
  const asWritten = !/[\\\s@#]/.test(link) && link.toLowerCase().startsWith(`https://${url.hostname}`)
  return plain && asWritten && hosts.some(allowed => covers(allowed, url.hostname)) ? url : null
}

/** A link with the number of the click that it is opened by. */
export const withClick = (link: string, clickId: string): string => {
  const url = new URL(link)
  url.searchParams.set('clickId', clickId)
  return url.href
}
