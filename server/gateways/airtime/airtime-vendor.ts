import { refuseInTransaction } from '../../db/in-transaction.ts'
import type { Attempt, PayoutGateway } from '../gateway.ts'
import type { ClientOptions, Reply } from '../http-client.ts'
import { pacer } from '../pace.ts'
import { fields, moneyOf, own, shillings, unavailable } from '../read.ts'
import { type LineKinds, readStatement } from '../statement-read.ts'
import { readCallback, readQuery, readSend } from './airtime-outcomes.ts'

export type AirtimeConfig = { baseUrl: string; apiKey: string }

const kinds: LineKinds = { FUNDING: 'payment', AIRTIME: 'payment', FEE: 'fee', REVERSAL: 'reversal' }

const parse = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** Calls of the vendor with our key. What was not answered in time may have been done. */
const client = ({ baseUrl, apiKey }: AirtimeConfig, { timeoutMs = 60_000, fetch: go = fetch }: ClientOptions) => {
  return async (path: string, post?: { key: string; body: object }): Promise<Reply> => {
    refuseInTransaction('the vendor of airtime is called')
    try {
      const response = await go(`${baseUrl}${path}`, {
        method: post ? 'POST' : 'GET',
        headers: {
          Authorization: `Bearer ${apiKey}`,
          Accept: 'application/json',
          ...(post ? { 'Content-Type': 'application/json', 'Idempotency-Key': post.key } : {}),
        },
        ...(post ? { body: JSON.stringify(post.body) } : {}),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      return { kind: 'http', status: response.status, body: parse(await response.text()) }
    } catch (error) {
      const { name, cause } = error as Error & { cause?: { code?: string } }
      return { kind: 'none', reason: name === 'TimeoutError' ? 'timeout' : (cause?.code ?? 'unreachable') }
    }
  }
}

/**
 * Airtime by its vendor: an order names phone, currency and amount, and goes once under its key however often it is sent. What became of
 * it is asked, or hinted at by a callback; the statement of the vendor says what really left.
 */
export const airtimeVendor = (config: AirtimeConfig, options: ClientOptions = {}): PayoutGateway => {
  const call = client(config, options)
  const turn = pacer(options.asksPerSecond ?? 10, 1000)
  return {
    channel: 'airtime',
    idempotentOnRef: true,
    postingCutOffHours: 24,

    async send({ gatewayRef: key, externalId: reference, amount, payee }: Attempt) {
      const body = { phone: payee.walletAccount, currency: 'UGX', amount: shillings(amount), reference }
      return readSend(await call('/v1/airtime', { key, body }))
    },

    async query({ gatewayRef }: Attempt) {
      await turn()
      return readQuery(await call(`/v1/airtime/${encodeURIComponent(gatewayRef)}`))
    },

    // Airtime has no holders.
    verifyHolder: async () => null,

    async balance() {
      const reply = await call('/v1/balance')
      const { balance, currency } = reply.kind === 'http' && reply.status === 200 ? fields(reply.body) : {}
      const amount = currency === 'UGX' ? moneyOf(balance) : undefined
      if (!amount) throw unavailable('balance', reply)
      return amount
    },

    async statement(date) {
      const reply = await call(`/v1/statement?date=${date}`)
      const { opening, closing, currency, lines } =
        reply.kind === 'http' && reply.status === 200 ? fields(reply.body) : {}
      return readStatement(reply, date, {
        ...{ opening, closing, currency },
        lines: Array.isArray(lines)
          ? lines.map(fields).map(line => ({
              serialNo: line.serialNo,
              amount: line.amount,
              time: line.time,
              lineKind: own(kinds, String(line.kind)),
              reference: line.reference,
              payerAccount: line.phone,
              narrative: line.kind,
            }))
          : undefined,
      })
    },

    parseCallback: (_headers, body) => readCallback(body),
  }
}
