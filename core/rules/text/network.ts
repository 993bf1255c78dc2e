/** Prefixes of the numbers that each network gave out; a customer who changed networks keeps the number. */
const prefixes = {
  mtn: ['25676', '25677', '25678', '25639'],
  airtel: ['25670', '25674', '25675', '25620'],
} as const

/** Mobile networks by which texts are routed; `other` is every network besides the two large ones. */
export const networks = ['mtn', 'airtel', 'other'] as const
export type Network = (typeof networks)[number]

/** The network that a number belongs to by its prefix. It routes a text; it never refuses a number. */
export const networkOf = (phone: string): Network => {
  const found = Object.entries(prefixes).find(([, own]) => own.some(prefix => phone.startsWith(prefix)))
  return (found?.[0] as Network | undefined) ?? 'other'
}
