import type { Clock } from '../server/db/clock.ts'
import type { PayoutGateway } from '../server/gateways/gateway.ts'
import { noCollection } from '../server/money/no-gateway.ts'

/** What the systems need around a measured one: nothing is sent, written to files or read from them. */
export const idleDeps = (clock: Clock, payout: PayoutGateway) => ({
  clock,
  exportDir: '',
  uploads: { dir: '', secret: Buffer.alloc(32) },
  importDir: '',
  secretKey: Buffer.alloc(32),
  demo: true,
  payout: { mtn_momo: payout },
  collect: { mtn_momo: noCollection },
})
