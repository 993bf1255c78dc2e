/**
 * Applicants as a process of its own: they apply at a steady rate, receive their money and pay back. Environment: BASE
 * (http://127.0.0.1:8080), MOMO (http://127.0.0.1:8090), MERCHANT_NO, MERCHANT_SECRET, PRODUCTS (P1,P2…), RATE
 * (applications a minute, 6), COUNT (no end), SEED (the present second), REPAY_AFTER (seconds, 60), REPAY_SHARE (0.9).
 */
import { setTimeout as wait } from 'node:timers/promises'
import { applicantClient } from './applicant-life.ts'
import { richApplicant } from './phone/rich-applicant.ts'

const { env } = process
const { MERCHANT_NO: merchantNo, MERCHANT_SECRET: secret } = env
if (!merchantNo || !secret) throw new Error('MERCHANT_NO and MERCHANT_SECRET are needed')
const client = applicantClient({
  base: env.BASE ?? 'http://127.0.0.1:8080',
  momo: env.MOMO ?? 'http://127.0.0.1:8090',
  merchantNo,
  secret,
})
const productNos = (env.PRODUCTS ?? 'P1').split(',')
const everyMs = 60_000 / Number(env.RATE ?? 6)
const count = Number(env.COUNT ?? Number.POSITIVE_INFINITY)
const firstSeed = Number(env.SEED ?? Math.floor(Date.now() / 1000))
const repayAfterMs = Number(env.REPAY_AFTER ?? 60) * 1000
const repayShare = Number(env.REPAY_SHARE ?? 0.9)

const customers = new Map<string, number>()
const seen = new Map<string, number>()
const paid = new Set<string>()
const say = (event: object) => process.stdout.write(`${JSON.stringify(event)}\n`)

const applyOnce = async (seed: number) => {
  const application = richApplicant(seed, { productNos, at: new Date().toISOString() })
  customers.set(application.payout.walletAccount, seed)
  say({ applied: application.thirdOrderNo, answer: await client.apply(application) })
}

const payBackWhatIsDue = async () => {
  const now = Date.now()
  for (const payout of await client.payouts()) {
    const seed = customers.get(payout.counterparty)
    if (seed === undefined || paid.has(payout.ref) || (seed % 100) / 100 >= repayShare) continue
    const since = seen.get(payout.ref) ?? now
    seen.set(payout.ref, since)
    if (now - since < repayAfterMs) continue
    paid.add(payout.ref)
    say({ paid: payout.ref, answer: await client.payBack(payout) })
  }
}

/** Does something again and again; a server that is down is no reason to stop. */
const repeatedly = async (ms: number, what: (n: number) => Promise<void>, end: number) => {
  for (let n = 0; n < end; n += 1) {
    await what(n).catch((error: unknown) => say({ failed: String(error) }))
    await wait(ms)
  }
}

void repeatedly(everyMs, n => applyOnce(firstSeed + n), count)
void repeatedly(Math.min(2000, everyMs), payBackWhatIsDue, Number.POSITIVE_INFINITY)
