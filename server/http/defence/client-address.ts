import net from 'node:net'

/** The address of the client of a call: of the socket, or what trusted proxies say they passed on. */
export type ClientAddress = (socket: string | undefined, forwarded: string | null) => string | null

const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').toLowerCase()
const kindOf = (address: string) => (net.isIPv6(address) ? 'ipv6' : 'ipv4')
const bits = { ipv4: 32, ipv6: 128 } as const

/** One address, or a range such as 10.0.0.0/8. Null where the text is neither. */
const rangeOf = (text: string): { address: string; prefix: number } | null => {
  const [, given = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const address = plain(given)
  if (!net.isIP(address)) return null
  const most = bits[kindOf(address)]
  const length = prefix === undefined ? most : Number(prefix)
  return length <= most ? { address, prefix: length } : null
}

/** Whether a text is an IP address or a CIDR range, as `TRUSTED_PROXIES` takes them. */
export const isRange = (text: string): boolean => rangeOf(text) !== null

/** An entry of X-Forwarded-For, with or without a port. Null where it is no address: entries before it are not trusted. */
const entryOf = (text: string): string | null => {
  const [, six, four] = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text.trim()) ?? []
  const address = plain(six ?? four ?? text.trim())
  return net.isIP(address) ? address : null
}

/**
 * Reads the client's address behind trusted proxies: from the right of X-Forwarded-For, past every trusted address, to the first
 * that is not. Anybody can send the header, so it counts only where a trusted proxy sent it.
 */
export const clientAddress = (trusted: readonly string[]): ClientAddress => {
  const list = new net.BlockList()
  for (const text of trusted) {
    const range = rangeOf(text)
    if (!range) throw new Error(`${text} is neither an address nor a range`)
    list.addSubnet(range.address, range.prefix, kindOf(range.address))
  }
  const isTrusted = (address: string) => list.check(address, kindOf(address))

  return (socket, forwarded) => {
    if (socket === undefined) return null
    let address = plain(socket)
    for (const text of (forwarded ?? '').split(',').reverse()) {
      if (!isTrusted(address)) return address
      const before = entryOf(text)
      if (before === null) return address
      address = before
    }
    return address
  }
}
