import { serveListed } from '../../../lists/listed.ts'
import type { Deps, Module, NetworkHandler } from '../../../module.ts'
import { batchUpdate } from './people-batch.ts'
import { detailServed } from './people-detail.ts'
import { linkQueue, linkServed } from './people-links.ts'
import { peopleList } from './people-list.ts'
import { grantApproval } from './people-roles.ts'
import { saveServed } from './people-save.ts'
import { statusApprovals, statusJobs, statusServed } from './people-status.ts'

/** Who works here: taking people in, their place and roles, and stopping them at once. */
export const peopleModule = ({ letters, address = '' }: Pick<Deps, 'letters' | 'address'> = {}): Module => ({
  served: [serveListed(peopleList), ...saveServed, ...statusServed, ...linkServed, ...detailServed, batchUpdate],
  lists: [peopleList],
  approvals: [grantApproval, ...statusApprovals],
  scheduled: statusJobs,
  queues: letters ? [linkQueue(letters, address) as unknown as NetworkHandler<never, never>] : [],
})
