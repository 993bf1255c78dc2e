import type { Deps, Module } from '../../../module.ts'
import { listValues } from '../../risk/name-list/index.ts'
import { carriersOf } from '../message-center/index.ts'
import { billClock } from './bill-clock.ts'
import { engineOf } from './engine.ts'
import { repliesServed } from './replies.ts'

/** From what happens to what customers read: nodes, texts, the contact guard, further channels, and replies. */
export const messageEngineModule = ({ vendors, secretKey }: Pick<Deps, 'vendors' | 'secretKey'>): Module => {
  const { queues, hooks } = engineOf(listValues(secretKey))
  return {
    served: [repliesServed(carriersOf({ vendors, secretKey }))],
    queues,
    chunked: [billClock],
    outgoing: hooks,
  }
}
