import type { VerifyResult } from '../../../../../core/rules/payee.ts'
import { refuseInTransaction } from '../../../../db/in-transaction.ts'
import {
  type Channels,
  GatewayUnavailable,
  type PayoutGateway,
  type WalletChannel,
} from '../../../../gateways/gateway.ts'
import { channelOf } from '../payout-channel.ts'

export type Instrument = { payoutSubtype: string; walletAccount: string | null }
/** The customer whose account it should be. */
export type Owner = { customerName: string; phone: string }
/** Of a number that is not the customer's own it says no more than whether the names match. */
export type Verified = { verifyResult: VerifyResult; holderName: string | null; matchScore: number | null }

const enough = 0.8
const timeoutMs = 5_000

const wordsOf = (name: string): string[] =>
  name
    .normalize('NFD')
    .toUpperCase()
    .replace(/[^A-Z\s]/g, '')
    .split(/\s+/)
    .filter(Boolean)

/** How alike two names are, from 0 to 1: the share of words they have in common, in any order. */
export const nameMatch = (a: string, b: string): number => {
  const [left, right] = [wordsOf(a), wordsOf(b)]
  if (left.length + right.length === 0) return 0
  const common = left.filter(word => {
    const at = right.indexOf(word)
    if (at >= 0) right.splice(at, 1)
    return at >= 0
  }).length
  return Math.round((200 * common) / (left.length + right.length + common)) / 100
}

/** Whether two names are alike enough to be one person's. */
export const isSameName = (a: string, b: string): boolean => nameMatch(a, b) >= enough

/** How the network of an account is asked whose it is; a bank cannot be. */
const enquiryOf = (payout: Channels<PayoutGateway>, { payoutSubtype, walletAccount }: Instrument) => {
  const gateway = payout[channelOf[payoutSubtype] as WalletChannel]
  return gateway && walletAccount ? () => gateway.verifyHolder(walletAccount) : undefined
}

/** Whether there is somebody to ask whose account this is. */
export const canTellHolder = (payout: Channels<PayoutGateway>, instrument: Instrument): boolean =>
  enquiryOf(payout, instrument) !== undefined

const unavailable: Verified = { verifyResult: 'unavailable', holderName: null, matchScore: null }

/**
 * Asks the network whose account this is and compares the name with the customer's own, never with what staff typed. It may take five seconds, so it
 * throws while a transaction is open.
 * An account on a network that cannot be asked is `unavailable`.
 */
export const verifyHolder = async (
  payout: Channels<PayoutGateway>,
  instrument: Instrument,
  owner: Owner,
): Promise<Verified> => {
  refuseInTransaction('a network is asked for a holder')
  const ask = enquiryOf(payout, instrument)
  if (!ask) return unavailable
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new GatewayUnavailable('the network did not answer in time')), timeoutMs)
  })
  try {
    const holder = await Promise.race([ask(), late])
    if (!holder) return { verifyResult: 'failed', holderName: null, matchScore: null }
    const matchScore = nameMatch(owner.customerName, holder.name)
    const verifyResult = matchScore >= enough ? 'passed' : 'failed'
    return instrument.walletAccount === owner.phone
      ? { verifyResult, holderName: holder.name, matchScore }
      : { verifyResult, holderName: null, matchScore: null }
  } catch (error) {
    if (error instanceof GatewayUnavailable) return unavailable
    throw error
  } finally {
    clearTimeout(timer)
  }
}
