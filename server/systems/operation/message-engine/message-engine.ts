import type { Deps, Module } from '../../../module.ts'
import { noVendors } from '../../../outgoing/vendors.ts'
import { billClock } from './bill-clock.ts'
import { engineHooks, engineQueues } from './engine.ts'
import { repliesServed } from './replies.ts'

/** From what happens to what customers read: nodes, texts, the contact guard, further channels, and replies. */
export const messageEngineModule = ({ vendors }: Pick<Deps, 'vendors'>): Module => ({
  served: [repliesServed(vendors ?? noVendors)],
  queues: engineQueues,
  chunked: [billClock],
  outgoing: engineHooks,
})
