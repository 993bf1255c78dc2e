import {
  type BusinessKey,
  type BusinessValue,
  businessConfigs,
} from '../../../../core/contract/common/business-config.ts'
import type { ContactKind } from '../../../../core/rules/contact/contact-block.ts'
import { type Caps, narrower, nextWithin, type Window } from '../../../../core/rules/message/contact-guard.ts'
import type { Tx } from '../../../db/database.ts'
import { businessValue } from '../../common/index.ts'
import { appRulesOf } from '../message-center/index.ts'

const settingOf = async <K extends BusinessKey>(tx: Tx, key: K) =>
  ((await businessValue(tx, key)) ?? businessConfigs[key].plain) as BusinessValue<K>

/** The hours of the EAT day within which people are contacted for something, less the quiet hours of an app; reminders keep those of collection. */
export const contactWindow = async (tx: Tx, kind: ContactKind, appCode: string | null = null): Promise<Window> => {
  const hours = await settingOf(tx, 'CONTACT_WINDOW')
  const of = kind === 'reminder' ? 'collection' : kind
  const set = { from: hours[`${of}From`], to: hours[`${of}To`] }
  const { window } = await appRulesOf(tx, appCode)
  return window ? narrower(set, window) : set
}

/** How often a number is contacted at most. */
export const contactCaps = async (tx: Tx): Promise<Caps> => {
  const { offersADay, offersIn7Days, callsADay, callsIn7Days } = await settingOf(tx, 'CONTACT_CAP')
  return { textsADay: offersADay, textsIn7Days: offersIn7Days, callsADay, callsIn7Days }
}

/** The next moment at which a contact of its kind may be made: now, where that is within the hours. */
export const nextMoment = async (
  tx: Tx,
  kind: ContactKind,
  appCode: string | null = null,
  at = tx.now,
): Promise<Date> => nextWithin(await contactWindow(tx, kind, appCode), at)
