import { phoneOf } from './airtel-client.ts'
import type {
  CollectAnswer,
  CollectQueryAnswer,
  Failure,
  NoAnswer,
  PayoutFailType,
  QueryAnswer,
  SendAnswer,
} from './gateway.ts'
import type { Reply } from './http-client.ts'
import { fields, httpNone, moneyOf, none, own, text } from './read.ts'

type Known = 'success' | 'failure' | 'pending' | 'exists' | 'notFound'

/** `status` of a transaction. `TA` is ambiguous: the money may have moved. Any other word is unknown. */
export const statusOutcomes: Readonly<Record<string, 'success' | 'failure' | 'pending'>> = {
  TS: 'success',
  TF: 'failure',
  TIP: 'pending',
  TA: 'pending',
}

/** `response_code` of a payout. A failure tells its type. Any other code is unknown. */
export const payoutCodes: Readonly<Record<string, Exclude<Known, 'failure'> | { failure: PayoutFailType }>> = {
  DP00900001000: 'pending',
  DP00900001001: 'success',
  DP00900001003: { failure: 'payee_limit' },
  DP00900001004: { failure: 'amount_limit' },
  DP00900001005: { failure: 'other' },
  DP00900001006: 'pending',
  DP00900001007: { failure: 'our_balance' },
  DP00900001009: { failure: 'payee_invalid' },
  DP00900001010: { failure: 'payee_barred' },
  DP00900001011: 'exists',
  DP00900001012: { failure: 'payee_invalid' },
  DP00900001013: { failure: 'other' },
  DP00900001014: 'pending',
  DP00900001015: 'notFound',
  DP00900001016: { failure: 'config' },
  DP00900001017: 'exists',
  DP00900001018: { failure: 'config' },
}

/** `response_code` of a payment to us. Any other code is unknown. */
export const collectCodes: Readonly<Record<string, Known>> = {
  DP00800001000: 'pending',
  DP00800001001: 'success',
  DP00800001002: 'failure',
  DP00800001003: 'failure',
  DP00800001004: 'failure',
  DP00800001005: 'failure',
  DP00800001006: 'pending',
  DP00800001007: 'failure',
  DP00800001008: 'failure',
  DP00800001010: 'failure',
  DP00800001024: 'pending',
  DP00800001025: 'notFound',
  DP00800001029: 'failure',
}

type Read = {
  outcome: Known
  code: string | undefined
  message: string | undefined
  transaction: Record<string, unknown>
}

/** An answer is known by its word, by its code, or by both where they agree. */
const readReply = (reply: Reply, outcomeOf: (code: string) => Known | undefined): Read | NoAnswer => {
  if (reply.kind === 'none') return none(reply.reason)
  const body = fields(reply.body)
  const statusFields = fields(body.status)
  const transaction = fields(fields(body.data).transaction)
  const code = text(statusFields.response_code)
  const word = text(transaction.status)
  const byCode = code === undefined ? undefined : outcomeOf(code)
  const lost = byCode === 'notFound' && reply.status === 404
  if (reply.status !== 200 && !lost) return httpNone(reply.status, code)
  const byWord = word === undefined ? undefined : own(statusOutcomes, word)
  const spoken = [word, code].filter(Boolean).join(' ') || 'unreadable'
  // A word of failure is final whatever the reason; everything else must be in the table.
  const unheard = (word !== undefined && !byWord) || (code !== undefined && !byCode && byWord !== 'failure')
  if (unheard || (byWord && byCode && byWord !== byCode)) return none(spoken)
  const outcome = byWord ?? byCode
  return outcome ? { outcome, code, message: text(statusFields.message), transaction } : none(spoken)
}

const payoutOutcome = (code: string): Known | undefined => {
  const row = own(payoutCodes, code)
  return typeof row === 'object' ? 'failure' : row
}

/** What a final failure of a payout means, by its code where the table has it. */
export const payoutFailure = (code: string | undefined, message: string | undefined): Failure => {
  const row = own(payoutCodes, code ?? '')
  return {
    kind: 'failure',
    failType: typeof row === 'object' ? row.failure : 'other',
    answerCode: code ?? 'TF',
    answerMessage: message ?? code ?? 'TF',
  }
}

const paidOf = ({ transaction }: Read): QueryAnswer => {
  const serialNo = text(transaction.airtel_money_id)
  const amount = moneyOf(transaction.amount)
  const msisdn = text(transaction.msisdn)
  if (!serialNo || (transaction.amount !== undefined && !amount)) return none('success without its facts')
  return { kind: 'success', serialNo, ...(amount ? { amount } : {}), ...(msisdn ? { payee: phoneOf(msisdn) } : {}) }
}

const refusal = (reply: Extract<Reply, { kind: 'http' }>) => {
  const body = fields(reply.body)
  const message = text(fields(body.status).message) ?? text(body.error_description) ?? text(body.error)
  return { answerCode: `HTTP_${reply.status}`, answerMessage: message ?? 'Access denied' }
}

const isRefused = (reply: Reply): reply is Extract<Reply, { kind: 'http' }> =>
  reply.kind === 'http' && (reply.status === 401 || reply.status === 403)

/** Reads the answer to a disbursement. */
export const readSend = (reply: Reply): SendAnswer => {
  if (isRefused(reply)) return { kind: 'failure', failType: 'config', ...refusal(reply) }
  const read = readReply(reply, payoutOutcome)
  if ('kind' in read) return read
  switch (read.outcome) {
    case 'success': {
      const paid = paidOf(read)
      return paid.kind === 'success' ? { kind: 'success', serialNo: paid.serialNo } : none('success without its facts')
    }
    case 'failure':
      return payoutFailure(read.code, read.message)
    case 'pending':
      return { kind: 'accepted' }
    case 'exists':
      return { kind: 'exists' }
    default:
      return none(read.code ?? 'unreadable')
  }
}

/** Reads the answer to a status query of a disbursement. */
export const readQuery = (reply: Reply): QueryAnswer => {
  const read = readReply(reply, payoutOutcome)
  if ('kind' in read) return read
  switch (read.outcome) {
    case 'success':
      return paidOf(read)
    case 'failure':
      return payoutFailure(read.code, read.message)
    case 'exists':
      return none(read.code ?? 'unreadable')
    default:
      return { kind: read.outcome }
  }
}

const collectFailure = ({ code = 'TF', message = code }: { code?: string; message?: string }) => ({
  kind: 'failure' as const,
  answerCode: code,
  answerMessage: message,
})

/** Reads the answer to a push to the customer's phone. */
export const readRequest = (reply: Reply): CollectAnswer => {
  if (isRefused(reply)) return { kind: 'failure', ...refusal(reply) }
  const read = readReply(reply, code => own(collectCodes, code))
  if ('kind' in read) return read
  if (read.outcome === 'failure') return collectFailure(read)
  return read.outcome === 'notFound' ? none(read.code ?? 'unreadable') : { kind: 'accepted' }
}

/** Reads the answer to a status query of a payment to us. */
export const readCollect = (reply: Reply, askedAt: string): CollectQueryAnswer => {
  const read = readReply(reply, code => own(collectCodes, code))
  if ('kind' in read) return read
  const { outcome, transaction } = read
  if (outcome === 'failure') return collectFailure(read)
  if (outcome === 'pending' || outcome === 'notFound') return { kind: outcome }
  const serialNo = text(transaction.airtel_money_id)
  const amount = moneyOf(transaction.amount)
  const payer = text(transaction.msisdn)
  const externalId = text(transaction.reference)
  if (outcome !== 'success' || !serialNo || !amount || !payer || !externalId) return none('success without its facts')
  const time = new Date(text(transaction.completed_at) ?? askedAt)
  return {
    kind: 'success',
    serialNo,
    amount,
    payer: phoneOf(payer),
    externalId,
    time: Number.isNaN(+time) ? askedAt : time.toISOString(),
  }
}
