const prefixes = {
  mtn: ['31', '39', '76', '77', '78', '79'],
  airtel: ['20', '70', '74', '75'],
  utl: ['71'],
  lycamobile: ['72'],
} as const

/** A mobile network of Uganda. */
export type PhoneNetwork = keyof typeof prefixes | 'other'

/** The network that gave a number out; people keep their number when they change it, so it is a hint. */
export const networkOf = (phone: string): PhoneNetwork => {
  const start = phone.slice(3, 5)
  const found = Object.entries(prefixes).find(([, own]) => (own as readonly string[]).includes(start))
  return (found?.[0] as PhoneNetwork | undefined) ?? 'other'
}
