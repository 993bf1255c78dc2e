import type { CollectGateway } from './gateway.ts'
import type { ClientOptions } from './http-client.ts'
import { type MtnConfig, mtnClient, requestHeaders } from './mtn-client.ts'
import { readCallback, readCollect, readRequest } from './mtn-outcomes.ts'
import { mtnStatement } from './mtn-statement.ts'
import { pacer } from './pace.ts'
import { shillings } from './read.ts'

/** Payments to us through the collection product of MTN MoMo. */
export const mtnMomoCollection = (config: MtnConfig, options: ClientOptions = {}): CollectGateway => {
  const client = mtnClient('collection', config, options)
  const now = options.now ?? Date.now
  const turn = pacer(options.asksPerSecond ?? 10, 1000)

  const ask = async (path: string) => {
    await turn()
    return readCollect(await client.call({ method: 'GET', path }), new Date(now()).toISOString())
  }

  return {
    channel: 'mtn_momo',

    async requestToPay(ref, phone, amount) {
      const reply = await client.call({
        method: 'POST',
        path: '/requesttopay',
        headers: requestHeaders(ref, config),
        body: {
          amount: shillings(amount),
          currency: 'UGX',
          externalId: ref,
          payer: { partyIdType: 'MSISDN', partyId: phone },
          payerMessage: 'Loan repayment',
          payeeNote: 'Loan repayment',
        },
      })
      return readRequest(reply)
    },

    /**
     * `requesttopay` knows what we asked for. What customers pay by themselves to a pay code has no published path:
     * `payment/{ref}` is the one agreed with our simulator, in the same shape plus `completedAt`.
     */
    async query(ref) {
      const answer = await ask(`/requesttopay/${ref}`)
      return answer.kind === 'notFound' ? ask(`/payment/${ref}`) : answer
    },

    statement: mtnStatement(client),
    parseCallback: (_headers, body) => readCallback('payer', body),
  }
}
