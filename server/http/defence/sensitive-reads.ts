import { sql } from 'kysely'
import type { SensitiveKind } from '../../../core/contract/fields.ts'
import type { SensitiveKindName } from '../../../core/contract/sensitive-kinds.ts'
import { revealLimits } from '../../../core/rules/sensitive.ts'
import type { Tx } from '../../db/database.ts'
import { tell } from '../../messages/message.ts'
import type { Actor } from '../../rights/actor.ts'
import { sensitiveSettings } from '../../rights/sensitive-fields.ts'
import { Fault } from '../fault.ts'

const hour = 3_600
const day = 86_400
type Cap = { seconds: number; values: number; kind?: SensitiveKind }
const caps: readonly Cap[] = [
  { seconds: hour, values: revealLimits.hour },
  { seconds: day, values: revealLimits.day },
]
const warnAt = revealLimits.hour
/** Code of the people responsible for personal data: those who read the logs. */
const guardPerm = 'log:audit:page'

type Seen = { objectType: string; objectNo: string }
type Revealed = Seen & {
  field: string
  kind: SensitiveKind
  /** Why it was asked for, where the settings of the kind want that. */
  reason?: string | undefined
  /** The screen on which it is shown. */
  route?: string | undefined
}

/** What counts against the caps: what was shown, revealed one by one or seen in a record. */
const counts = sql`access_kind in ('reveal', 'view') and result <> 'over_limit'`

/** Reads of one person since a time, of all kinds or of one: values revealed and records seen in full count alike. */
const since = (tx: Tx, userNo: string, seconds: number, kind?: SensitiveKind) =>
  tx.one(sql<{ count: number; oldest: string | null }>`
    select count(*)::int as count, min(at) as oldest from access_log
    where user_no = ${userNo} and ${counts} and at > ${new Date(tx.now.getTime() - seconds * 1000)}
      and ${kind ? sql`${kind} = any(kinds)` : sql`true`}`)

/** Seconds until the person may see more of some kinds, 0 where they may now. The person is locked, so that calls at the same time count one another. */
const wait = async (tx: Tx, userNo: string, kinds: readonly SensitiveKind[]): Promise<number> => {
  await tx.exec(sql`select 1 from app_user where user_no = ${userNo} for no key update`)
  const own = (await sensitiveSettings(tx, kinds)).flatMap(({ fieldKey, revealHourCap, revealDayCap }) => [
    { seconds: hour, values: revealHourCap, kind: fieldKey },
    { seconds: day, values: revealDayCap, kind: fieldKey },
  ])
  // A cap of one kind that is as high as that of all of them stops nobody whom the other does not.
  const narrower = own.filter(({ seconds, values }) => caps.some(cap => cap.seconds === seconds && values < cap.values))
  for (const { seconds, values, kind } of [...caps, ...narrower]) {
    const { count, oldest } = await since(tx, userNo, seconds, kind)
    if (count >= values && oldest) return Math.ceil((Date.parse(oldest) + seconds * 1000 - tx.now.getTime()) / 1000)
  }
  return 0
}

const warnGuards = async (tx: Tx, { no, name }: Actor, n: number): Promise<void> => {
  const guards = await tx.rows(sql<{ userNo: string }>`
    select distinct u.user_no from live_menu m join role_menu rm using (menu_no) join user_role ur using (role_no) join app_user u using (user_no)
    where m.perms = ${guardPerm} and u.user_status = 'normal' and u.employee_status = 'on_job' and u.user_no <> ${no} order by u.user_no`)
  for (const { userNo } of guards)
    tell(tx, {
      to: userNo,
      messageType: 'warning',
      template: 'massReveal',
      params: { name, n },
      objectType: 'user',
      objectNo: no,
      route: null,
    })
}

/** Warns the people responsible for personal data when a person reaches the hourly limit. */
const warn = async (tx: Tx, actor: Actor): Promise<void> => {
  const { count } = await since(tx, actor.no, hour)
  if (count + 1 === warnAt) await warnGuards(tx, actor, warnAt)
}

const line = (tx: Tx, actor: Actor, { objectType, objectNo }: Seen) => ({
  userNo: actor.no,
  objectType,
  objectNo,
  at: tx.now,
  ip: actor.ip,
  requestId: actor.requestId,
  partnerNo: actor.partnerNo,
})

/** Warns the people responsible for personal data of the first refusal in an hour for the cap of one kind. */
const warnOver = async (tx: Tx, actor: Actor, kind: SensitiveKind): Promise<void> => {
  const [settings] = await sensitiveSettings(tx, [kind])
  if (!settings || settings.revealHourCap >= warnAt) return
  const earlier = await tx.maybe(sql`
    select 1 from access_log where user_no = ${actor.no} and result = 'over_limit' and ${kind} = any(kinds)
      and at > ${new Date(tx.now.getTime() - hour * 1000)} limit 1`)
  if (!earlier) await warnGuards(tx, actor, settings.revealHourCap)
}

/**
 * Notes that a value is handed out in full, or that there was none, within the caps of its kind and of all kinds together. Above them the
 * attempt is noted too: the refusal (42901) is to be returned, not thrown, so that the line stays.
 */
export const noteReveal = async (tx: Tx, actor: Actor, read: Revealed, empty: boolean): Promise<Fault | null> => {
  const seconds = await wait(tx, actor.no, [read.kind])
  if (seconds > 0) await warnOver(tx, actor, read.kind)
  else await warn(tx, actor)
  tx.append('accessLog', {
    ...line(tx, actor, read),
    accessKind: 'reveal',
    field: read.field,
    kind: read.kind,
    reason: read.reason ?? null,
    route: read.route ?? null,
    result: seconds > 0 ? 'over_limit' : empty ? 'empty' : 'shown',
  })
  return seconds > 0 ? new Fault('tooMany', 'errors.tooManyAttempts', { seconds }) : null
}

/**
 * Whether a person may see a record with its sensitive values in full; counted with what they reveal, the same record once an hour.
 * Above the limits it is shown masked, so that work goes on.
 */
export const maySeeInFull = async (
  tx: Tx,
  actor: Actor,
  { kinds, ...of }: Seen & { kinds: readonly SensitiveKind[] },
): Promise<boolean> => {
  const seen = await tx.maybe(sql`
    select 1 from access_log where user_no = ${actor.no} and access_kind = 'view' and object_type = ${of.objectType} and object_no = ${of.objectNo}
      and kinds && ${kinds as string[]}::text[] and at > ${new Date(tx.now.getTime() - hour * 1000)} limit 1`)
  if (seen) return true
  if ((await wait(tx, actor.no, kinds)) > 0) return false
  await warn(tx, actor)
  tx.append('accessLog', { ...line(tx, actor, of), accessKind: 'view', field: kinds.join(','), result: 'shown' })
  return true
}

/** Notes that a part of a record was opened that is sensitive as a whole, such as where a customer was; once an hour. */
export const noteSeen = async (
  tx: Tx,
  actor: Actor,
  { kind, ...of }: Seen & { kind: Exclude<SensitiveKindName, SensitiveKind | 'unmask'> },
): Promise<void> => {
  const seen = await tx.maybe(sql`
    select 1 from access_log where user_no = ${actor.no} and access_kind = 'view' and object_type = ${of.objectType} and object_no = ${of.objectNo}
      and ${kind} = any(kinds) and at > ${new Date(tx.now.getTime() - hour * 1000)} limit 1`)
  if (!seen) tx.append('accessLog', { ...line(tx, actor, of), accessKind: 'view', field: kind, result: 'shown' })
}

const recordKeys = { orderNo: 'order', loanCode: 'loanCode', flowNo: 'flow', repaymentNo: 'repayment' } as const

/** The record that a call is about, by its input; a call that names none stands for itself. */
export const recordOf = (path: string, input: unknown): { objectType: string; objectNo: string } => {
  const given = (input ?? {}) as Record<string, unknown>
  for (const [key, objectType] of Object.entries(recordKeys))
    if (typeof given[key] === 'string') return { objectType, objectNo: given[key] }
  return { objectType: 'call', objectNo: path }
}
