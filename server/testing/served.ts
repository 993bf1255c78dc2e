import { systemClock } from '../db/clock.ts'
import type { Module } from '../module.ts'
import { noCollection, noPayout } from '../money/no-gateway.ts'
import { modules } from '../systems/systems.ts'
import { fakeVendors } from './vendors.ts'

const secretKey = Buffer.alloc(32)

/** Everything the server does, put together without a network, for those who only ask what there is. */
export const parts: readonly Module[] = modules({
  clock: systemClock,
  demo: true,
  secretKey,
  vendors: fakeVendors().vendors,
  payout: { mtn_momo: noPayout },
  collect: { mtn_momo: noCollection },
  exportDir: '.cache',
  importDir: '.cache',
  uploads: { dir: '.cache', secret: secretKey },
})

/** How each call is mounted. */
export const kinds = new Map(parts.flatMap(part => part.served).map(one => [one.endpoint, one.kind]))
