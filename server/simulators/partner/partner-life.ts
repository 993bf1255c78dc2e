import type { Application } from '../../../core/contract/order/intake.ts'
import { applicant } from '../people.ts'

/** What a partner sends: an application that is right, one again, one of somebody who is barred, or one that is wrongly signed. */
export type PartnerSays = 'right' | 'duplicate' | 'barred' | 'unsigned'

export type Partner = {
  seed: number
  productNos: readonly string[]
  incomingChannel: string
  /** How many of all are wrong in which way, from 0 to 1. */
  shares: Record<Exclude<PartnerSays, 'right'>, number>
  /** ID numbers of people on a black list. */
  barredIds: readonly string[]
}

/** Spread evenly over a hundred, whatever the seed. */
const placeOf = (n: number) => (n * 37) % 100
const ofHundred = (share: number) => Math.round(share * 100)

/** Applications of a partner, one after the other; the same for the same seed. */
export const partnerApplications = ({ seed, productNos, incomingChannel, shares, barredIds }: Partner) => {
  let n = 0
  let last: Application | null = null
  const saysOf = (place: number): PartnerSays => {
    const [duplicate, unsigned, barred] = [shares.duplicate, shares.unsigned, shares.barred].map(ofHundred) as [
      number,
      number,
      number,
    ]
    if (place < duplicate) return last ? 'duplicate' : 'right'
    if (place < duplicate + unsigned) return 'unsigned'
    return place < duplicate + unsigned + barred && barredIds.length ? 'barred' : 'right'
  }
  return (at: string): { says: PartnerSays; application: Application } => {
    const says = saysOf(placeOf(n))
    const made = { ...applicant(seed + n, { productNos, at }), incomingChannel }
    const idNumber = barredIds[n % Math.max(1, barredIds.length)]
    n += 1
    if (says === 'duplicate' && last) return { says, application: { ...last, loanAmount: made.loanAmount } }
    if (says === 'barred' && idNumber)
      return { says, application: { ...made, customer: { ...made.customer, idNumber } } }
    if (says === 'right') last = made
    return { says, application: made }
  }
}
