import { serveListed } from '../../../lists/listed.ts'
import type { Deps, Module } from '../../../module.ts'
import { batchUpdate } from './people-batch.ts'
import { detailServed } from './people-detail.ts'
import { linkMaker, linkServed } from './people-links.ts'
import { peopleList } from './people-list.ts'
import { grantApproval } from './people-roles.ts'
import { saveServed } from './people-save.ts'
import { statusApprovals, statusJobs, statusServed } from './people-status.ts'

/** Who works here: taking people in, their place and roles, and stopping them at once. */
export const peopleModule = ({ address = '' }: Pick<Deps, 'address'> = {}): Module => ({
  served: [serveListed(peopleList), ...saveServed, ...statusServed, ...linkServed, ...detailServed, batchUpdate],
  lists: [peopleList],
  approvals: [grantApproval, ...statusApprovals],
  scheduled: statusJobs,
  letters: { link: linkMaker(address) },
})
