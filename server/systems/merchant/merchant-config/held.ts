import { sql } from 'kysely'
import { merchantConfigs } from '../../../../core/contract/merchant/merchant-config.ts'
import { waitsUntil } from '../../../approval/visible.ts'
import { changesOf, noteChange } from '../../../configs/history.ts'
import type { Tx } from '../../../db/database.ts'
import { checkVersion, Fault, notFound } from '../../../http/fault.ts'
import type { Call } from '../../../http/serve.ts'
import { transition } from '../../../states/transition.ts'
import { seenBy } from './source.ts'

type Values = Readonly<Record<string, unknown>>
/** A configuration as it is stored, locked. */
export type Held = Values & {
  merchantNo: string
  version: number
  enabled: string
  callbackUrl: string | null
  callbackSince: string | null
}
type At = Pick<Call, 'tx' | 'session'>

/** The configuration, locked, as the caller saw it; nothing of it waits for a second person unless it may (`evenWaiting`). */
export const lockConfig = async (
  { tx, session }: At,
  merchantNo: string,
  version: number,
  { evenWaiting = false } = {},
): Promise<Held> => {
  const row = await tx.maybe(
    sql<Held>`select x.* from merchant_config x where x.merchant_no = ${merchantNo} and x.deleted_time is null and ${seenBy(session)} for update`,
  )
  if (!row) throw notFound()
  checkVersion(row, version)
  if (!evenWaiting && (await waitsUntil(tx, { objectType: merchantConfigs.table, objectNo: merchantNo })))
    throw new Fault('stateConflict', 'errors.approvalWaits')
  return row
}

/** The same where a second person has agreed to the change of it that they saw. */
export const lockAgreed = async (tx: Tx, merchantNo: string, version: number): Promise<Held> => {
  const row = await tx.maybe(
    sql<Held>`select x.* from merchant_config x where x.merchant_no = ${merchantNo} and x.deleted_time is null for update`,
  )
  if (!row) throw notFound()
  checkVersion(row, version)
  return row
}

/** Sets some values of a configuration; its history says which, and from what. */
export const put = async (
  { tx, actor }: Pick<Call, 'tx' | 'actor'>,
  row: Held,
  values: Values,
  { by = actor, noted = values }: { by?: Call['actor']; noted?: Values } = {},
): Promise<number> => {
  const set = { ...values, updatedBy: by.no, updatedTime: tx.now }
  const { machine } = merchantConfigs
  const { version } = await transition(tx, machine, row, { event: 'item.update', set }, actor)
  const changes = changesOf(Object.keys(noted), row, noted)
  noteChange(tx, machine, { objectNo: row.merchantNo, version, event: 'item.update', changes }, by)
  return version
}
