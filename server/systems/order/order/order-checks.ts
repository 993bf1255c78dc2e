import type { OrderBasic } from '../../../../core/contract/order/order.ts'
import { isSameName } from '../../after-loan/payout/index.ts'

type Check = OrderBasic['checks'][number]

export type Compared = {
  customerName: string
  idNumber: string
  gender: string | null
  birthDate: string | null
  phone: string
  walletAccount: string | null
  payoutHolderName: string | null
  payoutVerify: string
  /** Who the network says the SIM card belongs to. */
  simName?: string | null
  /** Who the banks say the verification number belongs to. */
  bvnName?: string | null
  /** How well the face fits that of the document, and from where on it does, as shares of a hundred. */
  faceScore?: string | null
  faceThreshold?: string
  /** Between the place of the application and home. */
  metersFromHome?: number | null
}

/** Farther from home than this an application is looked at. */
const farMeters = 30_000

const rank = { mismatch: 0, unknown: 1, match: 2 } as const

const compare = (
  checkKey: Check['checkKey'],
  left: string | null,
  right: string | null,
  alike = (a: string, b: string) => a === b,
): Check => ({
  checkKey,
  left,
  right,
  checkResult: left === null || right === null ? 'unknown' : alike(left, right) ? 'match' : 'mismatch',
})

/** What the ID number says of its bearer: CF a woman, CM a man, then mostly the year of birth. */
const idHints = (idNumber: string) => {
  const [, letter, year] = /^C([FM])(\d{2})?/i.exec(idNumber) ?? []
  return { gender: letter ? (letter.toUpperCase() === 'F' ? 'female' : 'male') : null, birthYear: year ?? null }
}

/** The name that the channel gave, or of a number that is not the customer's own only whether it was theirs. */
const walletName = ({ customerName, payoutHolderName, payoutVerify }: Compared): Check => {
  const named = compare('wallet_name', customerName, payoutHolderName, isSameName)
  if (payoutHolderName) return named
  if (payoutVerify === 'passed') return { ...named, checkResult: 'match' }
  return payoutVerify === 'failed' ? { ...named, checkResult: 'mismatch' } : named
}

/** One line per thing to compare, mismatches first. Nothing here blocks a decision. */
export const checksOf = (o: Compared, show: (name: string) => string = name => name): Check[] => {
  const id = idHints(o.idNumber)
  const owner = o.simName ?? (o.walletAccount === o.phone ? o.payoutHolderName : null)
  const { faceScore = null, faceThreshold = '0', metersFromHome = null } = o
  const named = (check: Check): Check => ({
    ...check,
    left: check.left && show(check.left),
    right: check.right && show(check.right),
  })
  return [
    named(walletName(o)),
    named(compare('registry_name', o.customerName, null)),
    compare('birth_date', o.birthDate, id.birthYear, (birthDate, year) => birthDate.slice(2, 4) === year),
    compare('gender', o.gender, id.gender),
    named(compare('phone_owner', o.customerName, owner, isSameName)),
    named(compare('bvn_name', o.customerName, o.bvnName ?? null, isSameName)),
    compare(
      'face',
      `≥ ${faceThreshold}%`,
      faceScore && `${faceScore}%`,
      () => Number(faceScore) >= Number(faceThreshold),
    ),
    compare(
      'location',
      `≤ ${farMeters / 1000} km`,
      metersFromHome === null ? null : `${(metersFromHome / 1000).toFixed(1)} km`,
      () => (metersFromHome ?? 0) <= farMeters,
    ),
  ].sort((a, b) => rank[a.checkResult] - rank[b.checkResult])
}
