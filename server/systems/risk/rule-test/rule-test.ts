import { serveListed } from '../../../lists/listed.ts'
import type { Module } from '../../../module.ts'
import { testCommands } from './commands.ts'
import { endLost, testHandler } from './job.ts'
import { changedList, testList, testReads, versionChoices } from './reads.ts'

/** Tests of a version of a rule set on what was known of past orders: asked for, under way, cancelled, and what they found. `chunkOrders` are decided again in one transaction. */
export const ruleTestModule = ({ chunkOrders = 1_000 } = {}): Module => ({
  served: [serveListed(testList), serveListed(changedList), ...testReads, ...testCommands],
  lists: [testList, changedList],
  choices: [versionChoices],
  queues: [testHandler(chunkOrders)],
  scheduled: [endLost],
})
