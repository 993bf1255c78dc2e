import {
  type CollectGateway,
  GatewayUnavailable,
  type PayoutGateway,
  type QueryAnswer,
} from '../../server/gateways/gateway.ts'
import { type Life, type Reply, type Truth, verdictOf } from './state.ts'
import { money } from './sums.ts'

/** What a network tells about one life; it answers from the script that the sequence wrote, and keeps what it was sent. */
export type Script = {
  replies: Reply[]
  truths: Map<string, Truth>
  payIns: Map<string, Pick<Life['payIns'][number], 'truth' | 'amount' | 'serialNo' | 'paidAt' | 'payer' | 'reference'>>
  sent: string[]
}
export const newScript = (): Script => ({ replies: [], truths: new Map(), payIns: new Map(), sent: [] })

export const customerName = 'Grace Nakato'
const failure = (word: string) =>
  ({
    kind: 'failure',
    failType: word === 'payeeInvalid' ? 'payee_invalid' : 'other',
    answerCode: 'FAILED',
    answerMessage: `refused: ${word}`,
  }) as const

/** Networks of both directions; `scriptOf` finds whose script speaks, by a reference or an account. */
export const networks = (scriptOf: (about: string) => Script): { payout: PayoutGateway; collect: CollectGateway } => {
  const hint = (body: string, side: 'payee' | 'payer') => {
    const answer = JSON.parse(body) as Record<string, unknown>
    if (!answer[side]) return null
    const text = (name: string) => (typeof answer[name] === 'string' ? (answer[name] as string) : null)
    const amount = text('amount')
    return {
      eventId: text('eventId') ?? 'none',
      gatewayRef: text('referenceId'),
      externalId: text('externalId'),
      ...(answer.status === 'FAILED' ? { claim: 'failure' as const } : {}),
      ...(amount === null ? {} : { amount }),
    }
  }
  const payout: PayoutGateway = {
    channel: 'mtn_momo',
    idempotentOnRef: true,
    postingCutOffHours: 24,
    async send({ externalId, payee }) {
      const script = scriptOf(payee.walletAccount)
      script.sent.push(externalId)
      const reply = script.replies.shift() ?? 'accepted'
      if (reply === 'success') return { kind: 'success', serialNo: `S-${externalId}` }
      if (reply === 'silent') return { kind: 'none', reason: 'timeout' }
      return reply === 'accepted' || reply === 'exists' ? { kind: reply } : failure(reply)
    },
    async query({ externalId, amount, payee }): Promise<QueryAnswer> {
      const truth = scriptOf(payee.walletAccount).truths.get(externalId) ?? 'pending'
      const paid = { kind: 'success', serialNo: `S-${externalId}`, amount, payee: payee.walletAccount } as const
      if (truth === 'success') return paid
      if (truth === 'otherAmount') return { ...paid, amount: money(Math.round(Number(amount) * 100) + 100_000) }
      if (truth === 'otherPayee') return { ...paid, payee: '256770000000' }
      if (truth === 'silent') return { kind: 'none', reason: 'timeout' }
      return truth === 'pending' || truth === 'notFound' ? { kind: truth } : failure(truth)
    },
    async verifyHolder(wallet) {
      const verdict = verdictOf(wallet)
      if (verdict === 'unavailable') throw new GatewayUnavailable('no answer')
      return { name: verdict === 'passed' ? customerName : 'Peter Okello' }
    },
    balance: async () => '0.00',
    parseCallback: (_headers, body) => hint(body, 'payee'),
  }
  const collect: CollectGateway = {
    channel: 'mtn_momo',
    requestToPay: async () => ({ kind: 'accepted' }),
    async query(ref) {
      const payIn = scriptOf(ref).payIns.get(ref)
      if (payIn?.truth === 'pending') return { kind: 'pending' }
      if (!payIn || payIn.truth === 'notFound') return { kind: 'notFound' }
      if (payIn.truth === 'failure') return { kind: 'failure', answerCode: 'FAILED', answerMessage: 'not paid' }
      const { serialNo, payer, paidAt, reference } = payIn
      return { kind: 'success', serialNo, amount: money(payIn.amount), payer, time: paidAt, externalId: reference }
    },
    parseCallback: (_headers, body) => hint(body, 'payer'),
  }
  return { payout, collect }
}
