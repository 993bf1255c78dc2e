import { serveListed } from '../../../lists/listed.ts'
import type { Deps, Module } from '../../../module.ts'
import { sealerOf } from '../../../session/seal.ts'
import { listValues } from '../../risk/name-list/index.ts'
import { groupSealer } from '../user-group/user-group.ts'
import { changeServed } from './change.ts'
import { colleagueServed } from './colleagues.ts'
import { attributionJob, countsJob } from './counts.ts'
import { createApproval, createServed } from './create.ts'
import { fillHandler } from './fill.ts'
import { previewServed } from './preview.ts'
import { sendJob } from './send.ts'
import { detail, messageList, taskList } from './task-list.ts'

/** Texts to many customers: previewed, made, sent within hours, pace and budget, stopped, tried again, and what came of them. */
export const smsTaskModule = ({ secretKey }: Pick<Deps, 'secretKey'>): Module => {
  const lists = listValues(secretKey)
  const sealers = { preview: sealerOf(secretKey, 'sms preview'), group: groupSealer(secretKey), lists }
  return {
    served: [
      ...[serveListed(taskList), serveListed(messageList), detail],
      ...[previewServed(sealers), createServed(sealers), ...changeServed],
      ...colleagueServed(lists),
    ],
    lists: [taskList, messageList],
    queues: [fillHandler(lists)],
    scheduled: [sendJob, countsJob, attributionJob],
    approvals: [createApproval],
  }
}
