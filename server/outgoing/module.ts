import type { Deps, Module, NetworkHandler } from '../module.ts'
import { sealerOf } from '../session/seal.ts'
import { outgoing } from './dispatch.ts'
import { enquiries } from './enquire.ts'
import type { OutgoingHooks } from './hooks.ts'
import type { LetterMakers } from './post.ts'
import { reportClock, reportQueue, reportServed } from './report.ts'
import { noVendors } from './vendors.ts'

/** Seals what only the receiver of a message may read. */
export const messageSealer = (secretKey: Buffer) => sealerOf(secretKey, 'message')

/** Letters and texts on their way out: handed over, reported on, given up. Without vendors they wait. */
export const outgoingModule = (
  { vendors, secretKey }: Pick<Deps, 'vendors' | 'secretKey'>,
  makers: LetterMakers,
  hooks: OutgoingHooks = {},
): Module => {
  const enquiry = enquiries(vendors ?? noVendors, hooks)
  return {
    served: [reportServed(vendors ?? noVendors, hooks)],
    queues: vendors
      ? [
          outgoing(vendors, messageSealer(secretKey), makers, hooks) as unknown as NetworkHandler<never, never>,
          enquiry.queue as unknown as NetworkHandler<never, never>,
          reportQueue(hooks),
        ]
      : [reportQueue(hooks)],
    scheduled: vendors ? [reportClock, enquiry.scheduled] : [reportClock],
  }
}
