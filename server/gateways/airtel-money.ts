import type { Money } from '../../core/rules/money.ts'
import { readCallback } from './airtel-callback.ts'
import { type AirtelConfig, airtelClient, msisdnOf } from './airtel-client.ts'
import { readQuery, readSend } from './airtel-outcomes.ts'
import { airtelKey, encryptPin } from './airtel-pin.ts'
import { airtelStatement } from './airtel-statement.ts'
import type { Attempt, PayoutGateway } from './gateway.ts'
import type { ClientOptions, Reply } from './http-client.ts'
import { pacer } from './pace.ts'
import { fields, moneyOf, shillings, text, unavailable } from './read.ts'

const found = { user: 'DP02200000001', balance: 'DP02100000001' } as const
const nobody = 'DP02200000002'

const fieldsOf = (reply: Reply) => {
  const body = reply.kind === 'http' && reply.status === 200 ? fields(reply.body) : {}
  return { code: text(fields(body.status).response_code), data: fields(body.data) }
}

/** Payouts through the disbursement product of Airtel Money. A reference is sent once, whatever comes of it. */
export const airtelMoney = (config: AirtelConfig, options: ClientOptions = {}): PayoutGateway => {
  const client = airtelClient(config, options)
  const key = airtelKey(config.publicKey)
  const turn = pacer(options.asksPerSecond ?? 10, 1000)

  return {
    channel: 'airtel_money',
    idempotentOnRef: false,
    postingCutOffHours: 24,

    async send({ gatewayRef, amount, payee }: Attempt) {
      const reply = await client.call({
        method: 'POST',
        path: '/standard/v2/disbursements/',
        body: {
          payee: { msisdn: msisdnOf(payee.walletAccount) },
          reference: gatewayRef,
          pin: encryptPin(key, config.pin),
          transaction: { amount: Number(shillings(amount)), id: gatewayRef, type: 'B2C' },
        },
      })
      return readSend(reply)
    },

    async query({ gatewayRef }: Attempt) {
      await turn()
      const path = `/standard/v2/disbursements/${encodeURIComponent(gatewayRef)}?transactionType=B2C`
      return readQuery(await client.call({ method: 'GET', path }))
    },

    async verifyHolder(walletAccount) {
      const reply = await client.call({ method: 'GET', path: `/standard/v1/users/${msisdnOf(walletAccount)}` })
      const { code, data } = fieldsOf(reply)
      if (code === nobody) return null
      if (code !== found.user) throw unavailable('user', reply)
      const name = [text(data.first_name), text(data.last_name)].filter(Boolean).join(' ')
      return data.is_barred === true || !name ? null : { name }
    },

    async balance(): Promise<Money> {
      const reply = await client.call({ method: 'GET', path: '/standard/v1/users/balance' })
      const { code, data } = fieldsOf(reply)
      const amount = data.currency === 'UGX' ? moneyOf(text(data.balance)?.replaceAll(',', '')) : undefined
      if (code !== found.balance || amount === undefined) throw unavailable('balance', reply)
      return amount
    },

    statement: airtelStatement(client, 'disbursement'),
    parseCallback: (_headers, body) => readCallback(body, config.callbackKey),
  }
}
