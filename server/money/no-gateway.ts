import { type CollectGateway, GatewayUnavailable, type PayoutChannel, type PayoutGateway } from '../gateways/gateway.ts'

const refused = { kind: 'failure', answerCode: 'NOT_CONFIGURED', answerMessage: 'The channel is not set up' } as const
const unavailable = () => Promise.reject(new GatewayUnavailable('the channel is not set up'))

/** A channel that is not set up: it refuses before sending, so that no payout ever counts as possibly sent. */
export const notSetUp = (channel: PayoutChannel): PayoutGateway => ({
  channel,
  idempotentOnRef: false,
  postingCutOffHours: 24,
  send: async () => ({ ...refused, failType: 'config' }),
  query: async () => ({ kind: 'none', reason: 'not set up' }),
  verifyHolder: unavailable,
  balance: unavailable,
  parseCallback: () => null,
})

/** Stands in for a payout network that is not set up: every send is refused as a fault of configuration. */
export const noPayout: PayoutGateway = notSetUp('mtn_momo')

/** The same for collections. */
export const noCollection: CollectGateway = {
  channel: 'mtn_momo',
  requestToPay: async () => refused,
  query: async () => ({ kind: 'none', reason: 'not set up' }),
  parseCallback: () => null,
}
