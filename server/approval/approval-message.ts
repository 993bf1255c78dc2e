import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { Fault } from '../http/fault.ts'
import { flowRoute, loanRoute, type Message, orderRoute, type Template, tell } from '../messages/message.ts'
import type { Actor } from '../rights/actor.ts'
import { rightsOfPerson, type Session } from '../session/session.ts'

type Asked = {
  approvalNo: string
  approvalAction: string
  perm: string
  objectType: string
  objectNo: string
  orderNo: string | null
  makerNo: string
  makerName: string
}

/** Where the record that a request is about is read. */
export const routeOf = ({ objectType, objectNo, orderNo }: Pick<Asked, 'objectType' | 'objectNo' | 'orderNo'>) => {
  if (objectType === 'loanCode') return loanRoute(objectNo)
  if (orderNo) return orderRoute(orderNo)
  return objectType === 'flow' ? flowRoute(objectNo) : null
}

const about = (asked: Asked, template: Template, params: Message['params'] = {}): Omit<Message, 'to'> => ({
  messageType: template === 'approvalAsked' ? 'notice' : 'result',
  template,
  params: { action: `afterLoan.approval.${asked.approvalAction}`, objectNo: asked.objectNo, ...params },
  objectType: 'approval',
  objectNo: asked.approvalNo,
  route: routeOf(asked),
})

/** Tells everybody who may decide a request that it waits for them; `waits` is its rule for one of them. */
export const tellCheckers = async (
  tx: Tx,
  asked: Asked,
  waits: (session: Session) => RawBuilder<unknown>,
): Promise<void> => {
  const holders = await tx.rows(sql<{ userNo: string }>`
    select distinct u.user_no from live_menu m join role_menu rm using (menu_no) join user_role ur using (role_no) join app_user u using (user_no)
    where m.perms = ${`${asked.perm}:check`} and u.user_status = 'normal' and u.employee_status = 'on_job' and u.user_no <> ${asked.makerNo}
    order by u.user_no`)
  for (const { userNo } of holders) {
    const session = await rightsOfPerson(tx, userNo, 'zh')
    const theirs = await tx.maybe(
      sql`select 1 from approval a where a.approval_no = ${asked.approvalNo} and ${waits(session)}`,
    )
    if (theirs) tell(tx, { to: userNo, ...about(asked, 'approvalAsked', { makerName: asked.makerName }) })
  }
}

/** Marks the question as read for all checkers: it is decided. */
const close = (tx: Tx, { approvalNo }: Asked) =>
  tx.exec(sql`update staff_message set read_time = ${tx.now} where object_no = ${approvalNo} and read_time is null`)

/** Tells the maker the decision on a request, and keeps it among the messages of the person who decided. */
export const tellDecision = async (
  tx: Tx,
  asked: Asked,
  checker: Actor,
  outcome: { is: 'done' } | { is: 'failed'; refusal: Fault } | { is: 'rejected'; reason: string },
): Promise<void> => {
  await close(tx, asked)
  const words = { checkerName: checker.name }
  const message =
    outcome.is === 'done'
      ? about(asked, 'approvalDone', words)
      : outcome.is === 'failed'
        ? about(asked, 'approvalFailed', { ...outcome.refusal.params, ...words, reason: outcome.refusal.key })
        : about(asked, 'approvalRejected', { ...words, reason: outcome.reason })
  tell(tx, { to: asked.makerNo, ...message })
  tell(tx, { to: checker.no, ...message, known: true })
}

/** A request that its maker took back. */
export const tellWithdrawn = (tx: Tx, asked: Asked): Promise<number> => close(tx, asked)

/** Tells the maker that nobody decided in time. */
export const tellExpired = async (tx: Tx, asked: Asked): Promise<void> => {
  await close(tx, asked)
  tell(tx, { to: asked.makerNo, ...about(asked, 'approvalExpired') })
}
