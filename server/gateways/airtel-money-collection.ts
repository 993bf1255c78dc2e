import { readCallback } from './airtel-callback.ts'
import { type AirtelConfig, airtelClient, msisdnOf } from './airtel-client.ts'
import { readCollect, readRequest } from './airtel-outcomes.ts'
import { airtelStatement } from './airtel-statement.ts'
import { type CollectGateway, refOf } from './gateway.ts'
import type { ClientOptions } from './http-client.ts'
import { pacer } from './pace.ts'
import { shillings } from './read.ts'

const country = { country: 'UG', currency: 'UGX' }

/** Payments to us through the collection product of Airtel Money. */
export const airtelMoneyCollection = (config: AirtelConfig, options: ClientOptions = {}): CollectGateway => {
  const client = airtelClient(config, options)
  const now = options.now ?? Date.now
  const turn = pacer(options.asksPerSecond ?? 10, 1000)

  return {
    channel: 'airtel_money',

    async requestToPay(ref, phone, amount) {
      const reply = await client.call({
        method: 'POST',
        path: '/merchant/v2/payments/',
        body: {
          reference: 'Loan repayment',
          subscriber: { ...country, msisdn: msisdnOf(phone) },
          transaction: { ...country, amount: Number(shillings(amount)), id: refOf('airtel_money', ref) },
        },
      })
      return readRequest(reply)
    },

    /**
     * The provider tells the end and its number. Who paid, how much and to which pay code it does not publish: those
     * fields are the ones agreed with our simulator, and without them nothing is booked.
     */
    async query(ref) {
      await turn()
      const path = `/standard/v1/payments/${encodeURIComponent(refOf('airtel_money', ref))}`
      return readCollect(await client.call({ method: 'GET', path }), new Date(now()).toISOString())
    },

    statement: airtelStatement(client, 'collection'),
    parseCallback: (_headers, body) => readCallback(body, config.callbackKey),
  }
}
