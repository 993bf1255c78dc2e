import type { payoutFailTypes } from '../../core/contract/after-loan/loan.ts'
import type { ValueOf } from '../../core/contract/fields.ts'
import type { Money } from '../../core/rules/money.ts'

/** Why a payout failed for good; decides what the screen offers next. */
export type PayoutFailType = ValueOf<typeof payoutFailTypes>

/** Networks of mobile money that we speak with. */
export type WalletChannel = 'mtn_momo' | 'airtel_money'

/** What pays by itself: the networks, and the vendor of airtime. */
export type PayoutChannel = WalletChannel | 'airtime'

/** The networks of an installation; what is not set up is not there. */
export type Channels<G> = { mtn_momo: G } & { [channel in PayoutChannel]?: G }

/** One send of money to one payee under one reference that is never used for anything else. */
export type Attempt = {
  externalId: string
  /** What the network knows the send by, made and stored before the first network call: {@link refOf}. */
  gatewayRef: string
  /** Whole shillings. */
  amount: Money
  payee: { walletAccount: string }
  payerMessage: string
}

/** The reference of a new send: what each network keys on, within the letters it allows. A bank answers by our own. */
export const refOf = (channel: string, externalId: string): string => {
  if (channel === 'bank_file') return externalId
  return channel === 'airtel_money' ? externalId.replace(/[^A-Za-z0-9]/g, '') : crypto.randomUUID()
}

/** `none`: nothing is known, the money may have moved. */
export type NoAnswer = { kind: 'none'; reason: string }
/** The network refused for good: no money moved. `failType` decides the next step, code and message are the network's own. */
export type Failure = { kind: 'failure'; failType: PayoutFailType; answerCode: string; answerMessage: string }

/** `exists`: the network knows this reference already, so it must be asked. */
export type SendAnswer =
  | { kind: 'accepted' }
  | { kind: 'success'; serialNo: string; fee?: Money }
  | Failure
  | NoAnswer
  | { kind: 'exists' }

/** Money reached the payee. `amount` and `payee` are compared with ours where the network tells them. */
export type Paid = { kind: 'success'; serialNo: string; amount?: Money; payee?: string; fee?: Money }

/** What a network says of a send. `notFound`: it does not know the reference. */
export type QueryAnswer = Paid | Failure | { kind: 'pending' } | { kind: 'notFound' } | NoAnswer

/**
 * What a callback says. Unsigned it is only a reason to ask, and tells for which reference: networks name their own or
 * ours; at least one is given. Two deliveries of the same news have the same `eventId`.
 */
export type CallbackHint = {
  eventId: string
  gatewayRef: string | null
  externalId: string | null
  /** How it says the operation ended. */
  claim?: 'success' | 'failure'
  amount?: Money
  /** The number on the other side. */
  party?: string
  /** Whether its signature is ours; absent when it has none, or we have no key. */
  signature?: 'good' | 'wrong'
  /** What a good signature proves became of a payout. */
  proved?: Paid | Failure
}

/** One line of a statement. A fee and a reversal name the payment that they are about where the network does (`relatesTo`). */
export type StatementLine = {
  serialNo: string
  direction: 'in' | 'out'
  lineKind: 'payment' | 'fee' | 'reversal'
  amount: Money
  /** ISO 8601. */
  time: string
  /** Ours, or what the customer typed. */
  reference: string | null
  relatesTo: string | null
  /** The number on the other side; null when it is no person, as where the owner puts money in. */
  payerAccount: string | null
  narrative: string | null
  /** As the channel writes the name; left out where it says none. */
  payerName?: string | null
}

/** What a channel says happened to an account of ours on one EAT day. */
export type Statement = { opening: Money; closing: Money; lines: readonly StatementLine[] }

/** The statement of a closed EAT day. Throws {@link GatewayUnavailable} when the network did not tell. */
export type ReadStatement = (date: string) => Promise<Statement>

/** Header names in lower case. */
export type CallbackHeaders = Readonly<Record<string, string | undefined>>

/** A channel that pays money out. */
export type PayoutGateway = {
  channel: PayoutChannel
  /** After `notFound` the same reference may be sent again. */
  idempotentOnRef: boolean
  /** A `notFound` proves nothing before this many hours have passed. */
  postingCutOffHours: number
  /**
   * A `failure` of type `config` means this call was refused at the door. It says nothing about an earlier call under
   * the same reference: when the reference was sent before, ask.
   */
  send(attempt: Attempt): Promise<SendAnswer>
  query(attempt: Attempt): Promise<QueryAnswer>
  /** Null when nobody can receive on this account. Throws {@link GatewayUnavailable} when the network did not tell. */
  verifyHolder(walletAccount: string): Promise<{ name: string } | null>
  /** What the network says we own. Throws {@link GatewayUnavailable} when it did not tell. */
  balance(): Promise<Money>
  /** What happened on the paying account; absent where the network offers none. */
  statement?: ReadStatement
  /** Null when the body is not a callback of a payout. */
  parseCallback(headers: CallbackHeaders, body: string): CallbackHint | null
}

/** The answer to a request to pay. */
export type CollectAnswer =
  | { kind: 'accepted' }
  | { kind: 'exists' }
  | { kind: 'failure'; answerCode: string; answerMessage: string }
  | NoAnswer

/** What a network says of a collection. */
export type CollectQueryAnswer =
  | {
      kind: 'success'
      serialNo: string
      amount: Money
      payer: string
      /** When the money arrived; the moment of asking when the network does not tell. */
      time: string
      /** Pay code or virtual account that the customer paid to; the reference itself when we asked for the money. */
      externalId: string
    }
  | { kind: 'failure'; answerCode: string; answerMessage: string }
  | { kind: 'pending' }
  | { kind: 'notFound' }
  | NoAnswer

/** A channel that brings money in. */
export type CollectGateway = {
  channel: WalletChannel
  /** Asks the customer's phone for a payment. */
  requestToPay(ref: string, phone: string, amount: Money): Promise<CollectAnswer>
  /** The truth about a requested payment, or about one that a callback announced. */
  query(ref: string): Promise<CollectQueryAnswer>
  /** What happened on the receiving account; absent where the network offers none. */
  statement?: ReadStatement
  /** Null when the body is not a callback of a payment to us. */
  parseCallback(headers: CallbackHeaders, body: string): CallbackHint | null
}

/** A read that moves no money got no usable answer. */
export class GatewayUnavailable extends Error {
  override name = 'GatewayUnavailable'
}
