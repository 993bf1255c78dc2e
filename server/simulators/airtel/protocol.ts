import { holderOf } from '../network/holder.ts'
import type { Route } from '../network/http.ts'
import type { Operation } from '../network/operation.ts'
import { type Parts, takeRequest, tellStatus } from './requests.ts'
import { tellStatement } from './statement.ts'
import { envelope, refused } from './words.ts'

/** Payouts, their status, our balance and who a subscriber is: the paths of the provider. */
export const disbursementRoutes = (parts: Parts): Route[] => {
  const { access, network } = parts
  const user: Route[2] = (_call, [msisdn = '']) => {
    const name = holderOf(network, `256${msisdn}`)
    if (!name) return envelope('DP02200000002', { success: false, message: 'Invalid MSISDN provided as input.' })
    const [first_name, ...family] = name.split(' ')
    return envelope('DP02200000001', {
      data: { first_name, last_name: family.join(' '), grade: 'SUBS', is_barred: false, is_pin_set: true, msisdn },
    })
  }
  const balance: Route[2] = () =>
    envelope('DP02100000001', {
      data: { balance: network.shownBalance().toLocaleString('en-US'), currency: 'UGX', account_status: 'Active' },
    })
  const status: Route[2] = (call, params) =>
    call.query.get('transactionType') === 'B2C'
      ? tellStatus(parts, ['transfer'])(call, params)
      : refused('ROUTER003', 'Mandatory parameters are missing.')

  return [
    ...access.routes,
    ['POST', /^\/standard\/v2\/disbursements\/$/, access.guarded(takeRequest(parts, 'transfer'))],
    ['GET', /^\/standard\/v2\/disbursements\/([^/]+)$/, access.guarded(status)],
    ['GET', /^\/standard\/v1\/users\/balance$/, access.guarded(balance)],
    ['GET', /^\/standard\/v1\/statements\/(disbursement|collection)$/, access.guarded(tellStatement(network))],
    ['GET', /^\/standard\/v1\/users\/(\d{9})$/, access.guarded(user)],
  ]
}

/**
 * Payments to us. That the status tells who paid how much and to which pay code, and knows what customers pay by
 * themselves, is more than the provider says.
 */
export const collectionRoutes = (parts: Parts): Route[] => {
  const { access, network } = parts
  const completed = ({ request }: Operation) => {
    const movement = network.moved.find(m => m.ref === request.ref)
    return movement ? { completed_at: movement.at } : {}
  }
  return [
    ['POST', /^\/merchant\/v2\/payments\/$/, access.guarded(takeRequest(parts, 'requestToPay'))],
    [
      'GET',
      /^\/standard\/v1\/payments\/([^/]+)$/,
      access.guarded(tellStatus(parts, ['requestToPay', 'payIn'], completed)),
    ],
  ]
}
