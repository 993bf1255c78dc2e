import { allowedLink, isHost } from './hosts.ts'

/** What an address of a network may ask for: the number of the click, what happened, and when. Nothing of the person. */
export const postbackMacros = ['clickId', 'event', 'time'] as const
type Macro = (typeof postbackMacros)[number]

const macro = /\{([^{}]*)\}/g
const isMacro = (name: string): name is Macro => (postbackMacros as readonly string[]).includes(name)
const filled = (address: string, of: (name: string) => string) => address.replace(macro, (_, name: string) => of(name))

/** Names that only our own network knows. */
const inside = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private)$/i
/** An address in numbers, of either kind, as URLs write it. */
const numbers = /^(\[.*\]|[\d.]+)$/

/** The host of an address; null where it is none. */
export const postbackHost = (address: string | null): string | null => {
  const plain = address === null ? '' : filled(address, () => 'x')
  return URL.canParse(plain) ? new URL(plain).hostname : null
}

/** What is wrong with an address that a network is called at; null for nothing. */
export const postbackFlaw = (address: string): string | null => {
  const host = postbackHost(address)
  if (host === null) return 'validation.postbackUrl'
  if (numbers.test(host) || inside.test(host) || !host.includes('.')) return 'validation.postbackInside'
  const names = [...address.matchAll(macro)].map(([, name]) => String(name))
  const rest = filled(address, () => '')
  if (!names.every(isMacro) || /[{}]/.test(rest)) return 'validation.postbackMacro'
  return isHost(host) &&
    allowedLink(
      filled(address, () => 'x'),
      [host],
    ) &&
    allowedLink(rest, [host])
    ? null
    : 'validation.postbackUrl'
}

/** The address that is called for one happening. */
export const postbackLink = (address: string, values: Readonly<Record<Macro, string>>): string =>
  filled(address, name => (isMacro(name) ? encodeURIComponent(values[name]) : ''))
