import { sql } from 'kysely'
import type { SensitiveKind } from '../../../core/contract/fields.ts'
import type { Tx } from '../../db/database.ts'
import { tell } from '../../messages/message.ts'
import type { Actor } from '../../rights/actor.ts'
import { Fault } from '../fault.ts'

const hour = 3_600
const caps = [
  { seconds: hour, values: 60 },
  { seconds: 86_400, values: 300 },
] as const
const warnAt = caps[0].values
/** Code of the people responsible for personal data: those who read the logs. */
const guardPerm = 'log:audit:page'

type Read = {
  kind: 'reveal' | 'view'
  objectType: string
  objectNo: string
  /** What was seen: a field, or the kinds of a detail. */
  field: string
}

/** Reads of one person since a time: values revealed and records seen in full count alike. */
const since = (tx: Tx, userNo: string, seconds: number) =>
  tx.one(sql<{ count: number; oldest: string | null }>`
    select count(*)::int as count, min(at) as oldest from access_log
    where user_no = ${userNo} and access_kind in ('reveal', 'view') and at > ${new Date(tx.now.getTime() - seconds * 1000)}`)

/** Seconds until the person may see more, 0 where they may now. The person is locked, so that calls at the same time count one another. */
const wait = async (tx: Tx, userNo: string): Promise<number> => {
  await tx.exec(sql`select 1 from app_user where user_no = ${userNo} for no key update`)
  for (const { seconds, values } of caps) {
    const { count, oldest } = await since(tx, userNo, seconds)
    if (count >= values && oldest) return Math.ceil((Date.parse(oldest) + seconds * 1000 - tx.now.getTime()) / 1000)
  }
  return 0
}

/** Warns the people responsible for personal data when a person reaches the hourly limit. */
const warn = async (tx: Tx, { no, name }: Actor): Promise<void> => {
  const { count } = await since(tx, no, hour)
  if (count + 1 !== warnAt) return
  const guards = await tx.rows(sql<{ userNo: string }>`
    select distinct u.user_no from menu m join role_menu rm using (menu_no) join user_role ur using (role_no) join app_user u using (user_no)
    where m.perms = ${guardPerm} and u.user_status = 'normal' and u.employee_status = 'on_job' and u.user_no <> ${no} order by u.user_no`)
  for (const { userNo } of guards)
    tell(tx, {
      to: userNo,
      messageType: 'warning',
      template: 'massReveal',
      params: { name, n: warnAt },
      objectType: 'user',
      objectNo: no,
      route: null,
    })
}

const note = async (tx: Tx, actor: Actor, { kind, objectType, objectNo, field }: Read): Promise<void> => {
  await warn(tx, actor)
  tx.append('accessLog', {
    userNo: actor.no,
    accessKind: kind,
    objectType,
    objectNo,
    field,
    at: tx.now,
    ip: actor.ip,
    requestId: actor.requestId,
    partnerNo: actor.partnerNo,
  })
}

/** Notes that a value is handed out in full. At most 60 an hour and 300 a day. @throws {Fault} 42901 above that */
export const noteReveal = async (tx: Tx, actor: Actor, read: Omit<Read, 'kind'>): Promise<void> => {
  const seconds = await wait(tx, actor.no)
  if (seconds > 0) throw new Fault('tooMany', 'errors.tooManyAttempts', { seconds })
  await note(tx, actor, { kind: 'reveal', ...read })
}

/**
 * Whether a person may see a record with its sensitive values in full; counted with what they reveal, the same record once an hour.
 * Above the limits it is shown masked, so that work goes on.
 */
export const maySeeInFull = async (
  tx: Tx,
  actor: Actor,
  { kinds, ...of }: { objectType: string; objectNo: string; kinds: readonly SensitiveKind[] },
): Promise<boolean> => {
  const seen = await tx.maybe(sql`
    select 1 from access_log where user_no = ${actor.no} and access_kind = 'view' and object_type = ${of.objectType} and object_no = ${of.objectNo}
      and at > ${new Date(tx.now.getTime() - hour * 1000)} limit 1`)
  if (seen) return true
  if ((await wait(tx, actor.no)) > 0) return false
  await note(tx, actor, { kind: 'view', ...of, field: kinds.join(',') })
  return true
}

const recordKeys = { orderNo: 'order', loanCode: 'loanCode', flowNo: 'flow', repaymentNo: 'repayment' } as const

/** The record that a call is about, by its input; a call that names none stands for itself. */
export const recordOf = (path: string, input: unknown): { objectType: string; objectNo: string } => {
  const given = (input ?? {}) as Record<string, unknown>
  for (const [key, objectType] of Object.entries(recordKeys))
    if (typeof given[key] === 'string') return { objectType, objectNo: given[key] }
  return { objectType: 'call', objectNo: path }
}
