import { createHmac } from 'node:crypto'
import type { Application } from '../../core/contract/order/intake.ts'
import { type Money, money, mul, toShilling } from '../../core/rules/money.ts'

/** Headers by which a merchant signs one request: HMAC-SHA256 over `timestamp.rawBody`, in hex. */
export const signed = (merchantNo: string, secret: string, timestamp: number, rawBody: string) => ({
  'Content-Type': 'application/json',
  'X-Merchant': merchantNo,
  'X-Timestamp': String(timestamp),
  'X-Signature': createHmac('sha256', secret).update(`${timestamp}.${rawBody}`).digest('hex'),
})

/** What a customer learns from the text that came with the money: `… repay UGX 126,000 … pay code 8004217 …`. */
export const readMessage = (message: string): { payCode: string | null; amount: Money | null } => {
  const amount = /\brepay UGX ([\d,]+)/i.exec(message)?.[1]
  return {
    payCode: /\bpay code ([A-Z0-9]+)/i.exec(message)?.[1] ?? null,
    amount: amount ? money(amount.replaceAll(',', '')) : null,
  }
}

export type Payout = { kind: string; ref: string; counterparty: string; amount: Money; message: string }

/** How a customer pays back; without a pay code by the own phone, without an amount the loan and a tenth. */
export const payInFor = (payout: Payout) => {
  const { payCode, amount } = readMessage(payout.message)
  return {
    account: 'collection',
    reference: payCode ?? payout.counterparty,
    payer: payout.counterparty,
    amount: amount ?? mul(payout.amount, '1.1', toShilling),
    case: 'R01',
  }
}

export type Addresses = { base: string; momo: string; merchantNo: string; secret: string }

/** The three things an applicant does: apply, look at the phone, pay back. */
export const applicantClient = ({ base, momo, merchantNo, secret }: Addresses) => {
  const answer = async (url: string, init?: RequestInit): Promise<unknown> => {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) })
    return response.json()
  }
  return {
    apply(application: Application): Promise<unknown> {
      const body = JSON.stringify(application)
      const headers = signed(merchantNo, secret, Date.now(), body)
      return answer(`${base}/api/hc/web/open/order/apply`, { method: 'POST', headers, body })
    },
    async payouts(): Promise<Payout[]> {
      const truth = (await answer(`${momo}/_sim/truth`)) as { movements: Payout[] }
      return truth.movements.filter(movement => movement.kind === 'payout')
    },
    payBack: (payout: Payout): Promise<unknown> =>
      answer(`${momo}/_sim/pay-in`, { method: 'POST', body: JSON.stringify(payInFor(payout)) }),
  }
}
