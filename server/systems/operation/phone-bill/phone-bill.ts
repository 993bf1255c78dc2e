import { serveListed } from '../../../lists/listed.ts'
import type { Module } from '../../../module.ts'
import { approve, confirm, reject, retry } from './decide.ts'
import { phoneBills } from './phone-bill-source.ts'
import { detail, lastList, summary } from './reads.ts'
import { check, submit, taken } from './submit.ts'
import { airtimeUnknown } from './warning.ts'

/** Airtime for the staff: asked for by one person, agreed to by another, delivered by a vendor. */
export const phoneBillModule = (): Module => ({
  served: [serveListed(phoneBills), detail, summary, lastList, check, submit, approve, reject, retry, confirm],
  lists: [phoneBills],
  imports: [taken],
  warnings: [airtimeUnknown],
})
