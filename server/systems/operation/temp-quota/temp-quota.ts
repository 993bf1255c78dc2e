import { serveListed } from '../../../lists/listed.ts'
import type { Deps, Module } from '../../../module.ts'
import { listValues } from '../../risk/name-list/index.ts'
import { grantPhone } from './grant-phone.ts'
import { grantCalls, grantJobs, revokeApproval } from './grants.ts'
import { groupChoices, quotaLists } from './lists.ts'
import { grantQueue, taskCalls } from './tasks.ts'

/** Higher limits for a while: asked for, decided by a second person, agreed to by the customer, used by one order. */
export const tempQuotaModule = ({ secretKey }: Partial<Pick<Deps, 'secretKey'>> = {}): Module => {
  const key = secretKey ?? Buffer.alloc(32)
  const lists = listValues(key)
  return {
    served: [...quotaLists.map(serveListed), ...taskCalls(lists), ...grantCalls({ secretKey: key }), grantPhone],
    lists: quotaLists,
    choices: [groupChoices],
    approvals: [revokeApproval],
    queues: [grantQueue(lists)],
    chunked: grantJobs,
  }
}
