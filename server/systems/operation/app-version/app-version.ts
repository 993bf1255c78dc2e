import { serveListed } from '../../../lists/listed.ts'
import type { Deps, Module } from '../../../module.ts'
import { commandsFor, releaseApproval } from './commands.ts'
import { forgetDevices } from './forget.ts'
import { offersFor } from './offer.ts'
import { readServed, versions } from './version-list.ts'

/** Versions of the apps: what phones are offered, by whom and to how many. */
export const appVersionModule = ({ uploads }: Pick<Deps, 'uploads'>): Module => ({
  served: [serveListed(versions), ...readServed, ...commandsFor(uploads.dir), ...offersFor(uploads.dir)],
  lists: [versions],
  approvals: [releaseApproval],
  scheduled: [forgetDevices],
})
