const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Whether an address may lead out of the console: only `https`, or this machine, which nobody on the way can read. */
export const isExternalLink = (address: string): boolean => {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, username, password } = new URL(address)
  if (username || password) return false
  return protocol === 'https:' || (protocol === 'http:' && loopback.test(hostname))
}
