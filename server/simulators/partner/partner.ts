/**
 * A partner's system as a process of its own: it sends applications at a steady rate, some of them wrong in the ways that partners
 * are. Environment: BASE (http://127.0.0.1:8080), MERCHANT_NO, MERCHANT_SECRET, PRODUCTS (P1,P2…), CHANNEL (partner), RATE
 * (applications a minute, 60), COUNT (no end), SEED (the present second), DUPLICATES, BAD_SIGNATURES, BARRED (shares, 0 to 1) and
 * BARRED_IDS (ID numbers of people on a black list, parted by commas).
 */
import { setTimeout as wait } from 'node:timers/promises'
import { applicantClient } from '../applicant-life.ts'
import { type PartnerSays, partnerApplications } from './partner-life.ts'

const { env } = process
const { MERCHANT_NO: merchantNo, MERCHANT_SECRET: secret } = env
if (!merchantNo || !secret) throw new Error('MERCHANT_NO and MERCHANT_SECRET are needed')
const at = { base: env.BASE ?? 'http://127.0.0.1:8080', momo: '', merchantNo }
const clients: Record<PartnerSays, ReturnType<typeof applicantClient>> = {
  right: applicantClient({ ...at, secret }),
  duplicate: applicantClient({ ...at, secret }),
  barred: applicantClient({ ...at, secret }),
  unsigned: applicantClient({ ...at, secret: `not ${secret}` }),
}
const next = partnerApplications({
  seed: Number(env.SEED ?? Math.floor(Date.now() / 1000)),
  productNos: (env.PRODUCTS ?? 'P1').split(','),
  incomingChannel: env.CHANNEL ?? 'partner',
  shares: {
    duplicate: Number(env.DUPLICATES ?? 0),
    unsigned: Number(env.BAD_SIGNATURES ?? 0),
    barred: Number(env.BARRED ?? 0),
  },
  barredIds: (env.BARRED_IDS ?? '').split(',').filter(Boolean),
})
const everyMs = 60_000 / Number(env.RATE ?? 60)
const say = (event: object) => process.stdout.write(`${JSON.stringify(event)}\n`)

for (let n = 0; n < Number(env.COUNT ?? Number.POSITIVE_INFINITY); n += 1) {
  const { says, application } = next(new Date().toISOString())
  void clients[says]
    .apply(application)
    .then(answer => say({ says, sent: application.thirdOrderNo, answer }))
    .catch((error: unknown) => say({ says, failed: String(error) }))
  await wait(everyMs)
}
