import type { attachTargets } from '../../../core/contract/common/attachment.ts'
import type { Tx } from '../../db/database.ts'
import { Fault, notFound } from '../../http/fault.ts'
import type { Session } from '../../session/session.ts'

/** Kinds of records that take files. */
export type TargetType =
  | (typeof attachTargets)[number]
  | 'announcement'
  | 'appContent'
  | 'appInvite'
  | 'appVersion'
  | 'language'
  | 'marketProduct'
  | 'merchant'
  | 'nameList'
  | 'contactBlock'
  | 'barred'
/** How files of one kind of record are reached. */
export type Target = {
  /** Read code of the record: its holders see the files of records within the data rule. Without one the record decides. */
  perm?: string
  /** The order that it belongs to; none where it belongs to no single one. */
  orderOf: (tx: Tx, session: Session, objectNo: string, uploadNo?: string) => Promise<string | undefined>
}

/** Records that take files. */
export type Targets = Readonly<Partial<Record<TargetType, Target>>>

/** The order behind a record that the caller may see. @throws when they may not, as if it were not there */
export const orderBehind =
  (targets: Targets) =>
  (
    tx: Tx,
    session: Session,
    objectType: TargetType,
    objectNo: string,
    uploadNo?: string,
  ): Promise<string | undefined> => {
    const target = targets[objectType]
    if (!target) throw notFound()
    const { perm, orderOf } = target
    if (perm && !session.perms.has(perm)) throw new Fault('forbidden', 'errors.forbidden')
    return orderOf(tx, session, objectNo, uploadNo)
  }
/** {@link orderBehind} for the targets of an installation. */
export type OrderBehind = ReturnType<typeof orderBehind>
