import { sql } from 'kysely'
import type { attachTargets } from '../../../core/contract/common/attachment.ts'
import type { Tx } from '../../db/database.ts'
import { Fault, notFound } from '../../http/fault.ts'
import type { Session } from '../../session/session.ts'
import { flowScope } from '../../systems/after-loan/flow/flow-store.ts'
import { loanFrom, loanPage, loanScope } from '../../systems/after-loan/payout/desk/loan-source.ts'
import { seesPicture } from '../../systems/operation/announcement/pictures.ts'
import { findOrder } from '../../systems/order/order/order-source.ts'

export type TargetType = (typeof attachTargets)[number] | 'announcement'
type Target = {
  /** Read code of the record: its holders see the files of records within the data rule. Without one the record decides. */
  perm?: string
  /** The order that it belongs to; none where it belongs to no single one. */
  orderOf: (tx: Tx, session: Session, objectNo: string, uploadNo?: string) => Promise<string | undefined>
}

const flowList = 'repay:flow:list'

const targets: Readonly<Partial<Record<TargetType, Target>>> = {
  order: {
    perm: 'order:detail:view',
    orderOf: async (tx, session, orderNo) => (await findOrder(tx, session, orderNo)).orderNo,
  },
  loanCode: {
    perm: loanPage,
    orderOf: async (tx, session, loanCode) => {
      const found = await tx.maybe(sql<{ orderNo: string }>`
        select lc.order_no from ${loanFrom} where lc.loan_code = ${loanCode} and ${loanScope(session)}`)
      if (!found) throw notFound()
      return found.orderNo
    },
  },
  flow: {
    perm: flowList,
    orderOf: async (tx, session, flowNo) => {
      const found = await tx.maybe(
        sql`select 1 from repay_flow f where f.flow_no = ${flowNo} and ${flowScope(session, flowList)}`,
      )
      if (!found) throw notFound()
      return undefined
    },
  },
  announcement: {
    orderOf: async (tx, session, _, uploadNo) => {
      if (!uploadNo || !(await seesPicture(tx, session, uploadNo))) throw notFound()
      return undefined
    },
  },
}

/** The order behind a record that the caller may see. @throws when they may not, as if it were not there */
export const orderBehind = (
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
