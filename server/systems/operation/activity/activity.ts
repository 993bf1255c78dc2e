import { serveListed } from '../../../lists/listed.ts'
import type { Deps, Module } from '../../../module.ts'
import { appCalls } from './app.ts'
import { awardQueue, awardRunJob } from './award.ts'
import { awardList } from './award-list.ts'
import { activityChoices, served } from './config.ts'
import { budgetApproval, decideCalls, reverseApproval } from './decide.ts'
import { stat } from './stat.ts'

/** Activities that reward customers, and what they earned. */
export const activityModule = ({ secretKey }: Partial<Pick<Deps, 'secretKey'>> = {}): Module => ({
  ...served,
  served: [
    ...served.served,
    serveListed(awardList),
    stat,
    ...decideCalls,
    ...appCalls({ secretKey: secretKey ?? Buffer.alloc(32) }),
  ],
  lists: [...served.lists, awardList],
  approvals: [...served.approvals, budgetApproval, reverseApproval],
  choices: [activityChoices],
  queues: [awardQueue],
  scheduled: [...(served.scheduled ?? []), awardRunJob],
})
