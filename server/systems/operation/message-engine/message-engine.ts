import type { Deps, Module } from '../../../module.ts'
import { listValues } from '../../risk/name-list/index.ts'
import { carriersOf } from '../message-center/index.ts'
import { billClock } from './bill-clock.ts'
import { engineOf } from './engine.ts'
import { listensOn } from './lines.ts'
import { repliesServed } from './replies.ts'

/** From what happens to what customers read: nodes, texts, the contact guard, further channels, and replies. */
export const messageEngineModule = (deps: Pick<Deps, 'vendors' | 'secretKey' | 'demo' | 'lines'>): Module => {
  const { secretKey, lines } = deps
  const carriers = carriersOf(deps)
  const { queues, hooks } = engineOf(listValues(secretKey))
  return {
    served: [repliesServed(carriers)],
    queues,
    chunked: [billClock],
    outgoing: hooks,
    ...(lines ? { listens: listensOn(lines, carriers) } : {}),
  }
}
