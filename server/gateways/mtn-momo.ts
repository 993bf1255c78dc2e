import { lt, type Money } from '../../core/rules/money.ts'
import type { Attempt, PayoutGateway } from './gateway.ts'
import type { ClientOptions } from './http-client.ts'
import { type MtnConfig, mtnClient, requestHeaders } from './mtn-client.ts'
import { fundsFailure, readCallback, readQuery, readSend } from './mtn-outcomes.ts'
import { mtnStatement } from './mtn-statement.ts'
import { pacer } from './pace.ts'
import { moneyOf, shillings, unavailable } from './read.ts'

/** The network refuses apostrophes and more than 160 characters. */
const note = (message: string): string => message.replace(/['’‘`]/g, '').slice(0, 160)

/** What the network says of wallets and of our own balance. */
const asking = (client: ReturnType<typeof mtnClient>) => {
  const holder = async <T>(walletAccount: string, path: string): Promise<T | null> => {
    const reply = await client.call({ method: 'GET', path: `/accountholder/msisdn/${walletAccount}/${path}` })
    if (reply.kind === 'http' && reply.status === 404) return null
    if (reply.kind !== 'http' || reply.status !== 200 || typeof reply.body !== 'object') throw unavailable(path, reply)
    return reply.body as T | null
  }

  const balance = async (): Promise<Money> => {
    const reply = await client.call({ method: 'GET', path: '/account/balance' })
    const body = reply.kind === 'http' && reply.status === 200 ? reply.body : undefined
    const { availableBalance, currency } = (body ?? {}) as { availableBalance?: unknown; currency?: unknown }
    const amount = currency === 'UGX' ? moneyOf(availableBalance) : undefined
    if (amount === undefined) throw unavailable('balance', reply)
    return amount
  }

  const isShort = async (amount: Money): Promise<boolean | undefined> => {
    try {
      return lt(await balance(), amount)
    } catch {
      return undefined
    }
  }
  return { holder, balance, isShort }
}

/** Payouts through the disbursement product of MTN MoMo. */
export const mtnMomo = (config: MtnConfig, options: ClientOptions = {}): PayoutGateway => {
  const client = mtnClient('disbursement', config, options)
  const turn = pacer(options.asksPerSecond ?? 10, 1000)

  const { holder, balance, isShort } = asking(client)

  return {
    channel: 'mtn_momo',
    idempotentOnRef: true,
    postingCutOffHours: 24,

    async send(attempt: Attempt) {
      const message = note(attempt.payerMessage)
      const reply = await client.call({
        method: 'POST',
        path: '/transfer',
        headers: requestHeaders(attempt.gatewayRef, config),
        body: {
          amount: shillings(attempt.amount),
          currency: 'UGX',
          externalId: attempt.externalId,
          payee: { partyIdType: 'MSISDN', partyId: attempt.payee.walletAccount },
          payerMessage: message,
          payeeNote: message,
        },
      })
      return readSend(reply)
    },

    async query(attempt: Attempt) {
      await turn()
      const answer = readQuery(await client.call({ method: 'GET', path: `/transfer/${attempt.gatewayRef}` }))
      return answer.kind === 'funds' ? fundsFailure(answer, await isShort(attempt.amount)) : answer
    },

    async verifyHolder(walletAccount) {
      const active = await holder<{ result?: unknown }>(walletAccount, 'active')
      if (active?.result !== true) return null
      const info = await holder<{ given_name?: string; family_name?: string; name?: string }>(
        walletAccount,
        'basicuserinfo',
      )
      const name = info?.name ?? [info?.given_name, info?.family_name].filter(Boolean).join(' ')
      return name ? { name } : null
    },

    balance,
    statement: mtnStatement(client),
    parseCallback: (_headers, body) => readCallback('payee', body),
  }
}
