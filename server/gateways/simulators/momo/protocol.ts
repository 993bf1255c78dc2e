import { nameOf } from '../people.ts'
import { error, type Route } from './http.ts'
import { collectionAccount, payoutAccount } from './network.ts'
import type { Operation } from './operation.ts'
import { type Parts, takeRequest, tellStatus } from './requests.ts'

/** The name on an account. Unless it was given, the last digit of the number decides: 0 another name, 9 nobody. */
const holderOf = ({ network }: Parts, phone: string): string | null => {
  const given = network.holders.get(phone)
  if (given) return given
  if (phone.endsWith('9')) return null
  const [first, ...rest] = nameOf(phone).split(' ')
  return phone.endsWith('0') ? `${first} ${rest.includes('Kato') ? 'Wasswa' : 'Kato'}` : [first, ...rest].join(' ')
}

/** Payouts, their status, our balance and who holds an account: the paths of the provider. */
export const disbursementRoutes = (parts: Parts): Route[] => {
  const { access, network } = parts
  const guard = (handler: Route[2]) => access.guarded('disbursement', handler)
  let shortFor: number | null = null

  const balance: Route[2] = () => {
    const own = network.balance(payoutAccount)
    const shown = shortFor === null ? own : Math.min(own, shortFor - 1)
    shortFor = null
    return { status: 200, body: { availableBalance: String(shown), currency: 'UGX' } }
  }
  /** After a failure for our own want of money the next look at the balance must agree with it. */
  const rememberShort = ({ request, status }: Operation) => {
    if (request.code === 'G18' && status === 'FAILED') shortFor = request.amount
    return {}
  }

  return [
    ...access.routes('disbursement'),
    ['POST', /^\/disbursement\/v1_0\/transfer$/, guard(takeRequest(parts, 'transfer'))],
    ['GET', /^\/disbursement\/v1_0\/transfer\/([^/]+)$/, guard(tellStatus(parts, 'transfer', rememberShort))],
    ['GET', /^\/disbursement\/v1_0\/account\/balance$/, guard(balance)],
    [
      'GET',
      /^\/disbursement\/v1_0\/accountholder\/msisdn\/(\d+)\/active$/i,
      guard((_call, [phone = '']) => ({ status: 200, body: { result: holderOf(parts, phone) !== null } })),
    ],
    [
      'GET',
      /^\/disbursement\/v1_0\/accountholder\/msisdn\/(\d+)\/basicuserinfo$/i,
      guard((_call, [phone = '']) => {
        const name = holderOf(parts, phone)
        if (!name) return error(404, 'RESOURCE_NOT_FOUND', 'Requested resource was not found.')
        const [given_name, ...family] = name.split(' ')
        return { status: 200, body: { given_name, family_name: family.join(' '), locale: 'en_UG', status: 'ACTIVE' } }
      }),
    ],
  ]
}

/**
 * Payments to us. `payment/{ref}` is no path of the provider: it answers for what customers pay to a pay code by
 * themselves, in the shape of `requesttopay` plus `completedAt`.
 */
export const collectionRoutes = (parts: Parts): Route[] => {
  const { access, network } = parts
  const guard = (handler: Route[2]) => access.guarded('collection', handler)
  const completedAt = ({ request }: Operation) => {
    const movement = network.moved.find(m => m.ref === request.ref)
    return movement ? { completedAt: movement.at } : {}
  }
  return [
    ...access.routes('collection'),
    ['POST', /^\/collection\/v1_0\/requesttopay$/, guard(takeRequest(parts, 'requestToPay'))],
    ['GET', /^\/collection\/v1_0\/requesttopay\/([^/]+)$/, guard(tellStatus(parts, 'requestToPay'))],
    ['GET', /^\/collection\/v1_0\/payment\/([^/]+)$/, guard(tellStatus(parts, 'payIn', completedAt))],
    [
      'GET',
      /^\/collection\/v1_0\/account\/balance$/,
      guard(() => ({
        status: 200,
        body: { availableBalance: String(network.balance(collectionAccount)), currency: 'UGX' },
      })),
    ],
  ]
}
