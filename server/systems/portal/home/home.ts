import { type RawBuilder, sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { homePath } from '../../../../core/contract/pages.ts'
import { routes } from '../../../../core/contract/routes.ts'
import type { MachineName } from '../../../../core/rules/machines/machines.ts'
import { waitsFor } from '../../../approval/visible.ts'
import { type Call, serve } from '../../../http/serve.ts'
import { type Log, silentLog } from '../../../log.ts'
import type { Deps, Module } from '../../../module.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { warningPerms } from '../../../warnings/rule.ts'
import { warningScope } from '../../../warnings/store.ts'
import { announcementsFor } from '../../operation/announcement/index.ts'
import { orderScope } from '../../order/order/index.ts'
import { leaveFrom, leaveWaits } from '../../schedule/leave/index.ts'
import { lastLoginOf } from '../../user/account/index.ts'

type Frag = RawBuilder<unknown>
type Tile = OutputOf<typeof contract.home.mine>['queues'][number]
type Counted = Pick<Tile, 'count' | 'amount' | 'oldestMinutes'>
type Queue = {
  key: string
  /** The machine whose moves may change the count. */
  machine: MachineName
  route: string
  perm?: string
  filters: Record<string, unknown>
  from: Frag
  since: Frag
  amount?: Frag
  where: (call: Call) => Frag
}

const pathOf = (name: string) => routes.find(route => route.name === name)?.path ?? homePath

const codes = (status: string): Queue => ({
  key: `payouts_${status}`,
  machine: 'loanCode',
  route: pathOf('LoanManagement'),
  perm: 'fund:payout:page',
  filters: { loanCodeStatus: [status] },
  from: sql`loan_code lc join loan_order o using (order_no)`,
  since:
    status === 'unknown'
      ? sql`coalesce(lc.unknown_since, lc.request_time)`
      : sql`coalesce(lc.finish_time, lc.request_time)`,
  amount: sql`lc.actual_loan_amount`,
  where: ({ session }) => sql`lc.loan_code_status = ${status} and ${orderScope(session, 'fund:payout:page')}`,
})

/** What may wait for somebody: each queue is counted inside the caller's data rules and opens its screen with the same filters. */
const queues: readonly Queue[] = [
  {
    key: 'unallotted',
    machine: 'order',
    route: pathOf('OrderAllocation'),
    perm: 'audit:allot:page',
    filters: { orderStatus: ['to_be_allocated'] },
    from: sql`loan_order o`,
    since: sql`o.status_time`,
    where: ({ session }) => sql`o.order_status = 'to_be_allocated' and ${orderScope(session, 'audit:allot:page')}`,
  },
  {
    key: 'my_audits',
    machine: 'auditTask',
    route: pathOf('MyAudit'),
    perm: 'audit:self:page',
    filters: { box: 'todo' },
    from: sql`audit_task t join loan_order o using (order_no)`,
    since: sql`t.allot_time`,
    where: ({ session }) => sql`t.auditor_no = ${session.userNo} and t.audit_task_status in ('assigned', 'opened')`,
  },
  codes('failed'),
  codes('unknown'),
  {
    key: 'flows',
    machine: 'flow',
    route: pathOf('RepaymentManagement'),
    perm: 'repay:flow:list',
    filters: { tab: 'flows', flowStatus: ['available', 'partly_used'] },
    from: sql`repay_flow f`,
    since: sql`f.entry_time`,
    amount: sql`f.amount - f.applied - f.refunded`,
    where: ({ session }) =>
      sql`f.flow_status in ('available', 'partly_used') and ${scope(session, { merchant: 'f.merchant_no', holder: person => person(sql`f.created_by`), perm: 'repay:flow:list' })}`,
  },
  {
    key: 'warnings',
    machine: 'warning',
    route: pathOf('WarningNotify'),
    filters: { warningStatus: ['open'] },
    from: sql`warning w`,
    since: sql`w.first_time`,
    where: ({ session }) => sql`w.warning_status = 'open' and ${warningScope(session)}`,
  },
  {
    key: 'approvals',
    machine: 'approval',
    route: homePath,
    filters: { messages: 'approvals' },
    from: sql`approval a`,
    since: sql`a.submit_time`,
    where: ({ tx, session }) => waitsFor(tx, session),
  },
  {
    key: 'leaves',
    machine: 'leave',
    route: homePath,
    filters: { messages: 'approvals' },
    from: leaveFrom,
    since: sql`l.created_time`,
    where: ({ session }) => leaveWaits(session),
  },
  {
    key: 'files',
    machine: 'exportJob',
    route: homePath,
    filters: { messages: 'files' },
    from: sql`export_job x`,
    since: sql`x.finish_time`,
    where: ({ tx, session }) =>
      sql`x.user_no = ${session.userNo} and x.export_status = 'ready' and x.expire_time > ${tx.now}`,
  },
]

/** Queues whose page asks for no single code: who has them by their rights. */
const without: Record<string, (perm: string) => boolean> = {
  approvals: perm => perm.endsWith(':check'),
  leaves: perm => perm === contract.leave.audit.perm,
  files: perm => perm.endsWith(':export'),
  warnings: perm => warningPerms.includes(perm),
}

const isOpen = ({ perms }: Pick<Session, 'perms'>, { key, route, perm }: Queue) =>
  perm === undefined ? [...perms].some(without[key] ?? (() => true)) : perms.has(perm) && perms.has(route)

/** Queues of a person that moves of these machines may have changed. */
export const queuesOf = (session: Pick<Session, 'perms'>, moved: ReadonlySet<string>): string[] =>
  queues.filter(queue => moved.has(queue.machine) && isOpen(session, queue)).map(queue => queue.key)

const count = async (call: Call, { from, since, amount, where }: Queue) =>
  call.tx.one(sql<Counted>`
    select count(*)::int as count, ${amount ? sql`coalesce(sum(${amount}), 0)::numeric(18,2)` : sql`null`} as amount,
      floor(extract(epoch from (${call.tx.now}::timestamptz - min(${since}))) / 60)::int as oldest_minutes
    from ${from} where ${where(call)}`)

/** A queue that cannot be counted is shown as such; the others stay. */
const tileOf = async (call: Call, queue: Queue, log: Log): Promise<Tile> => {
  const { key, route, filters } = queue
  try {
    return { key, ...(await count(call, queue)), route, filters }
  } catch (error) {
    log.error({ event: 'home.queue', queue: key, err: error }, 'a queue of Home could not be counted')
    return { key, count: null, amount: null, oldestMinutes: null, route, filters }
  }
}

/** The work that waits for the person who is signed in. */
export const homeModule = ({ log = silentLog }: Pick<Deps, 'log'> = {}): Module => ({
  served: [
    serve(contract.home.mine, async call => {
      const { tx, session, input } = call
      const own = queues.filter(queue => isOpen(session, queue) && (input.queue ?? queue.key) === queue.key)
      const tiles: Tile[] = []
      for (const queue of own) tiles.push(await tileOf(call, queue, log))
      return {
        today: tx.today,
        queues: tiles,
        announcements: input.queue ? [] : await announcementsFor(call, { limit: 5 }),
        lastLogin: await lastLoginOf(tx, session.userNo, session.sessionNo),
      }
    }),
  ],
})
