import { sql } from 'kysely'
import type { attachTargets } from '../../core/contract/attach.ts'
import type { Tx } from '../db/database.ts'
import { Fault, notFound } from '../fault.ts'
import { loanFrom, loanPage, loanScope } from '../modules/loan-source.ts'
import { findOrder } from '../modules/order-source.ts'
import type { Session } from '../session.ts'

export type TargetType = (typeof attachTargets)[number]
type Target = {
  /** Read code of the record: whoever holds it and has the record within the data rule sees its files. */
  perm: string
  orderOf: (tx: Tx, session: Session, objectNo: string) => Promise<string>
}

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
}

/** The order behind a record that the caller may see. @throws when they may not, as if it were not there */
export const orderBehind = (tx: Tx, session: Session, objectType: TargetType, objectNo: string): Promise<string> => {
  const target = targets[objectType]
  if (!target) throw notFound()
  const { perm, orderOf } = target
  if (!session.perms.has(perm)) throw new Fault('forbidden', 'errors.forbidden')
  return orderOf(tx, session, objectNo)
}
