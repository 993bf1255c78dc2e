import { nameOf } from '../people.ts'
import type { Network } from './network.ts'

/** The name on an account. Unless it was given, the last digit of the number decides: 0 another name, 9 nobody. */
export const holderOf = (network: Network, phone: string): string | null => {
  const given = network.holders.get(phone)
  if (given) return given
  if (phone.endsWith('9')) return null
  const [first, ...rest] = nameOf(phone).split(' ')
  return phone.endsWith('0') ? `${first} ${rest.includes('Kato') ? 'Wasswa' : 'Kato'}` : [first, ...rest].join(' ')
}
