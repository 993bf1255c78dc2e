import { serveListed } from '../../../lists/listed.ts'
import type { Module } from '../../../module.ts'
import { accrueJob, postJob } from './accrue.ts'
import { soldTexts } from './consume.ts'
import { events, records } from './consumption-source.ts'
import { consumptionReads } from './reads.ts'
import { reverseApproval, reverseServed } from './reverse.ts'
import { statementServed } from './statement.ts'

/** What merchants use: noted event by event, counted by day and price, posted after midnight. */
export const consumptionModule = (): Module => ({
  served: [serveListed(records), serveListed(events), ...consumptionReads, ...statementServed, reverseServed],
  lists: [records, events],
  scheduled: [accrueJob, postJob],
  approvals: [reverseApproval],
  outgoing: { sent: soldTexts },
})
