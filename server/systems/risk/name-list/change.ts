import { sql } from 'kysely'
import { nameLists } from '../../../../core/contract/risk/name-list.ts'
import { maxMonths } from '../../../../core/rules/text/name-list.ts'
import { requestApproval } from '../../../approval/approval.ts'
import { waitsUntil } from '../../../approval/visible.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid, notFound } from '../../../http/fault.ts'
import type { Call } from '../../../http/serve.ts'
import type { ApprovalAction } from '../../../module.ts'
import type { Session } from '../../../session/session.ts'
import { transition } from '../../../states/transition.ts'
import { listSeen } from './seen.ts'
import { type Item, isActiveElsewhere, monthsAhead, type NameList, takeOff } from './store.ts'

export const itemTable = 'name_list_item'
type By = Pick<Call, 'tx' | 'session' | 'actor' | 'audit'>

/** A list that a person may put entries on; those for all merchants are headquarters'. */
export const findList = async (
  tx: Tx,
  session: Session,
  no: string,
  perm = nameLists.codes.page,
): Promise<NameList> => {
  const found = await tx.maybe(sql<NameList>`
    select x.* from name_list x where x.name_list_no = ${no} and x.deleted_time is null and ${listSeen(session, 'x', perm)}`)
  if (!found) throw notFound()
  if (found.merchantNo === null && !session.headquarters) throw new Fault('forbidden', 'errors.headquartersOnly')
  return found
}

/** An entry that a person may change, locked: none that is fed or waits for a second person. */
const lockItem = async (tx: Tx, session: Session, no: string, perm?: string): Promise<Item & { list: NameList }> => {
  const item = await tx.maybe(sql<Item>`select i.* from name_list_item i where i.item_no = ${no} for update`)
  if (!item) throw notFound()
  const list = await findList(tx, session, item.nameListNo, perm)
  if (item.listSource === 'feed') throw new Fault('stateConflict', 'errors.listFed')
  if (await waitsUntil(tx, { objectType: itemTable, objectNo: no }))
    throw new Fault('stateConflict', 'errors.approvalWaits')
  return { ...item, list }
}

/** An end lies ahead, and within what a list may give by itself: nothing stays for ever. */
export const checkEnd = (tx: Tx, expireTime: string | undefined) => {
  if (!expireTime) return
  if (Date.parse(expireTime) <= tx.now.getTime()) throw invalid('expireTime', 'validation.timePassed')
  if (Date.parse(expireTime) > monthsAhead(tx, maxMonths).getTime())
    throw invalid('expireTime', 'validation.wrongValue')
}

/** Gives an entry a later end, or another reason. */
export const extendItem = async (
  { tx, session, actor, audit }: By,
  itemNo: string,
  input: { expireTime: string; reasonCode?: string | undefined },
  page?: string,
): Promise<void> => {
  const item = await lockItem(tx, session, itemNo, page)
  checkEnd(tx, input.expireTime)
  // An earlier end would take an entry away: that is a removal.
  if (item.itemStatus === 'active' && Date.parse(input.expireTime) < Date.parse(item.expireTime))
    throw invalid('expireTime', 'validation.laterEnd')
  if (item.itemStatus === 'expired' && (await isActiveElsewhere(tx, item)))
    throw new Fault('stateConflict', 'errors.dataExists')
  const set = { expireTime: input.expireTime, ...(input.reasonCode ? { reasonCode: input.reasonCode } : {}) }
  await transition(tx, 'nameListItem', item, { event: 'item.extend', set, payload: set }, actor)
  audit({ objectType: itemTable, objectNo: itemNo, after: set })
}

/** Takes an entry away: one of a black list with a second person, under the action and the code that are given. */
export const removeItem = async (
  call: By,
  itemNo: string,
  reason: string,
  { action, perm, page }: { action: string; perm: string; page?: string },
): Promise<void> => {
  const { tx, session, actor, audit } = call
  const item = await lockItem(tx, session, itemNo, page)
  const { listKind, nameListName, merchantNo } = item.list
  if (listKind !== 'black' || item.itemStatus !== 'active') {
    await takeOff(tx, item, reason, 'person', actor)
    return audit({ objectType: itemTable, objectNo: itemNo, after: { reason } })
  }
  const approvalNo = await requestApproval(call, {
    action,
    perm,
    objectType: itemTable,
    objectNo: itemNo,
    ...(merchantNo ? { merchantNo } : {}),
    version: item.version,
    payload: { version: item.version, reason },
    summary: [
      { label: 'fields.nameListName', before: null, after: nameListName },
      { label: 'fields.reason', before: null, after: reason },
    ],
  })
  audit({ objectType: itemTable, objectNo: itemNo, after: { reason, approvalNo } })
}

/** Takes an entry away to which a second person agreed. */
export const removeAgreed: ApprovalAction['execute'] = async (tx, { objectNo, payload, checker }) => {
  const item = await tx.one(sql<Item>`select * from name_list_item where item_no = ${objectNo} for update`)
  if (item.itemStatus === 'removed') throw new Fault('stateConflict', 'errors.dataExists')
  await takeOff(tx, item, String(payload.reason), 'person', checker)
}
