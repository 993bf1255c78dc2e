import type {
  CallbackHint,
  CollectAnswer,
  CollectQueryAnswer,
  Failure,
  NoAnswer,
  PayoutFailType,
  QueryAnswer,
  SendAnswer,
} from './gateway.ts'
import type { Reply } from './http-client.ts'
import { fields, httpNone, jsonFields, moneyOf, none, own, text } from './read.ts'

/** HTTP status of the answer to a transfer or a request to pay. Any other status is unknown. */
export const sendOutcomes: Readonly<Record<number, 'accepted' | 'exists' | 'config'>> = {
  202: 'accepted',
  401: 'config',
  403: 'config',
  409: 'exists',
}

/** `status` of an operation that was asked about. Any other word is unknown. */
export const statusOutcomes: Readonly<Record<string, 'success' | 'failure' | 'pending'>> = {
  SUCCESSFUL: 'success',
  FAILED: 'failure',
  PENDING: 'pending',
}

/** `reason` of a final failure. `funds`: theirs or ours, the balance decides. Any other word is `other`. */
export const failReasons: Readonly<Record<string, PayoutFailType | 'funds'>> = {
  PAYEE_NOT_FOUND: 'payee_invalid',
  PAYEE_NOT_ALLOWED_TO_RECEIVE: 'payee_barred',
  NOT_ENOUGH_FUNDS: 'funds',
  NOT_ALLOWED: 'config',
  INTERNAL_PROCESSING_ERROR: 'other',
  COULD_NOT_PERFORM_TRANSACTION: 'other',
}

type FundsFailure = { kind: 'funds'; answerCode: string; answerMessage: string }

/** Reasons come as a word or as `{code, message}`. */
const reasonOf = (value: unknown): { code: string; message: string } => {
  const code = text(value) ?? text(fields(value).code) ?? 'FAILED'
  return { code, message: text(fields(value).message) ?? code }
}

const unread = ({ status, body }: { status: number; body: unknown }): NoAnswer =>
  httpNone(status, text(fields(body).code))

const refusal = (reply: { status: number; body: unknown }) => {
  const body = fields(reply.body)
  return {
    answerCode: `HTTP_${reply.status}`,
    answerMessage: text(body.message) ?? text(body.error) ?? 'Access denied',
  }
}

/** Reads the answer to `POST transfer`. */
export const readSend = (reply: Reply): SendAnswer => {
  if (reply.kind === 'none') return none(reply.reason)
  const outcome = own(sendOutcomes, String(reply.status))
  if (outcome === 'config') return { kind: 'failure', failType: 'config', ...refusal(reply) }
  return outcome ? { kind: outcome } : unread(reply)
}

/** Reads the answer to `POST requesttopay`. */
export const readRequest = (reply: Reply): CollectAnswer => {
  const answer = readSend(reply)
  if (answer.kind === 'success') return none('unexpected success')
  return answer.kind === 'failure'
    ? { kind: 'failure', answerCode: answer.answerCode, answerMessage: answer.answerMessage }
    : answer
}

type Asked = { kind: 'body'; outcome: 'success' | 'failure' | 'pending'; body: Record<string, unknown> }

const readStatus = (reply: Reply): Asked | { kind: 'notFound' } | NoAnswer => {
  if (reply.kind === 'none') return none(reply.reason)
  const body = fields(reply.body)
  if (reply.status === 404 && body.code === 'RESOURCE_NOT_FOUND') return { kind: 'notFound' }
  if (reply.status !== 200) return unread(reply)
  const status = text(body.status)
  const outcome = status && own(statusOutcomes, status)
  return outcome ? { kind: 'body', outcome, body } : none(status ? `status ${status}` : 'unreadable')
}

/** Reads the answer to `GET transfer/{ref}`; `funds` still needs the balance. */
export const readQuery = (reply: Reply): QueryAnswer | FundsFailure => {
  const asked = readStatus(reply)
  if (asked.kind !== 'body') return asked
  const { outcome, body } = asked
  if (outcome === 'pending') return { kind: 'pending' }
  if (outcome === 'failure') {
    const { code, message } = reasonOf(body.reason)
    const failType = own(failReasons, code) ?? 'other'
    const answer = { answerCode: code, answerMessage: message }
    return failType === 'funds' ? { kind: 'funds', ...answer } : { kind: 'failure', failType, ...answer }
  }
  const serialNo = text(body.financialTransactionId)
  const amount = moneyOf(body.amount)
  const payee = text(fields(body.payee).partyId)
  if (!serialNo || !amount || !payee || body.currency !== 'UGX') return none('success without its facts')
  return { kind: 'success', serialNo, amount, payee }
}

/** Reads the answer to `GET requesttopay/{ref}`. */
export const readCollect = (reply: Reply, askedAt: string): CollectQueryAnswer => {
  const asked = readStatus(reply)
  if (asked.kind !== 'body') return asked
  const { outcome, body } = asked
  if (outcome === 'pending') return { kind: 'pending' }
  if (outcome === 'failure') {
    const { code, message } = reasonOf(body.reason)
    return { kind: 'failure', answerCode: code, answerMessage: message }
  }
  const serialNo = text(body.financialTransactionId)
  const amount = moneyOf(body.amount)
  const payer = text(fields(body.payer).partyId)
  const externalId = text(body.externalId)
  if (!serialNo || !amount || !payer || !externalId || body.currency !== 'UGX') return none('success without its facts')
  const time = new Date(text(body.completedAt) ?? askedAt)
  return {
    kind: 'success',
    serialNo,
    amount,
    payer,
    externalId,
    time: Number.isNaN(+time) ? askedAt : time.toISOString(),
  }
}

/** A final failure for want of money: ours when we own less than the amount, else the payee is over a limit. */
export const fundsFailure = (failure: FundsFailure, ourBalanceShort: boolean | undefined): Failure => ({
  ...failure,
  kind: 'failure',
  failType: ourBalanceShort === undefined ? 'other' : ourBalanceShort ? 'our_balance' : 'payee_limit',
})

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/** Reads a callback of the side that carries `party`: `payee` for payouts, `payer` for payments to us. */
export const readCallback = (party: 'payee' | 'payer', raw: string): CallbackHint | null => {
  const body = jsonFields(raw) ?? {}
  const externalId = text(body.externalId) ?? null
  const given = text(body.referenceId)
  const gatewayRef = given && uuid.test(given) ? given : externalId && uuid.test(externalId) ? externalId : null
  if (body[party] === undefined || (!externalId && !gatewayRef)) return null
  const status = text(body.status) ?? ''
  const outcome = own(statusOutcomes, status)
  return {
    eventId: [gatewayRef ?? externalId, status, text(body.financialTransactionId) ?? ''].join(':'),
    gatewayRef,
    externalId,
    claim: outcome === 'pending' ? undefined : outcome,
    amount: moneyOf(body.amount),
    party: text(fields(body[party]).partyId),
  }
}
