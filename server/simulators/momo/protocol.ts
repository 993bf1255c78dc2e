import { holderOf } from '../network/holder.ts'
import { error, type Route } from '../network/http.ts'
import { collectionAccount, payoutAccount } from '../network/network.ts'
import type { Operation } from '../network/operation.ts'
import { type Parts, takeRequest, tellStatus } from './requests.ts'
import { tellStatement } from './statement.ts'

/** Payouts, their status, our balance and who holds an account: the paths of the provider. */
export const disbursementRoutes = (parts: Parts): Route[] => {
  const { access, network } = parts
  const guard = (handler: Route[2]) => access.guarded('disbursement', handler)
  const balance: Route[2] = () => ({
    status: 200,
    body: { availableBalance: String(network.shownBalance()), currency: 'UGX' },
  })

  return [
    ...access.routes('disbursement'),
    ['POST', /^\/disbursement\/v1_0\/transfer$/, guard(takeRequest(parts, 'transfer'))],
    ['GET', /^\/disbursement\/v1_0\/transfer\/([^/]+)$/, guard(tellStatus(parts, 'transfer'))],
    ['GET', /^\/disbursement\/v1_0\/account\/balance$/, guard(balance)],
    ['GET', /^\/disbursement\/v1_0\/account\/statement$/, guard(tellStatement(network, payoutAccount))],
    [
      'GET',
      /^\/disbursement\/v1_0\/accountholder\/msisdn\/(\d+)\/active$/i,
      guard((_call, [phone = '']) => ({ status: 200, body: { result: holderOf(network, phone) !== null } })),
    ],
    [
      'GET',
      /^\/disbursement\/v1_0\/accountholder\/msisdn\/(\d+)\/basicuserinfo$/i,
      guard((_call, [phone = '']) => {
        const name = holderOf(network, phone)
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
    ['GET', /^\/collection\/v1_0\/account\/statement$/, guard(tellStatement(network, collectionAccount))],
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
