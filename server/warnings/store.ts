import { type RawBuilder, type Selectable, sql } from 'kysely'
import { routes } from '../../core/contract/routes.ts'
import type { Language } from '../../core/i18n/language.ts'
import type { Tx } from '../db/database.ts'
import { json } from '../db/json.ts'
import type { DB } from '../db/types.gen.ts'
import type { Params } from '../http/fault.ts'
import { tell, wordsOfKey } from '../messages/message.ts'
import { newNo } from '../money/numbers.ts'
import type { Actor } from '../rights/actor.ts'
import { limitFor, scope } from '../rights/scope.ts'
import { mayEnter, type Session } from '../session/session.ts'
import { create, transition } from '../states/transition.ts'
import { defaults, type Found, handledBy, most, type Thresholds, type WarningRule, warningPerms } from './rule.ts'

type Frag = RawBuilder<unknown>
/** A warning as the database keeps it. */
export type Warning = Omit<Selectable<DB['warning']>, 'facts' | 'affected'> & {
  facts: Params
  affected: Found['affected']
}

const page = routes.find(route => route.name === 'WarningNotify')?.path ?? ''

/** Where a warning is opened. */
export const warningRoute = (warningNo: string): string =>
  `${page}?${new URLSearchParams({ warningNo, open: warningNo })}`

/** The words of a warning in a language. */
export const warningWords = (language: Language, { warningType, facts }: Pick<Warning, 'warningType' | 'facts'>) => ({
  title: wordsOfKey(language, `warning.${warningType}.title`, facts),
  content: wordsOfKey(language, `warning.${warningType}.content`, facts),
  rule: wordsOfKey(language, `warning.${warningType}.rule`, facts),
  next: wordsOfKey(language, `warning.${warningType}.next`, facts),
})

/** Warnings `w` that a person sees: they hold its permission, and its merchant is within the data rule of that permission. */
export const warningScope = (session: Session): Frag => {
  const own = warningPerms
    .filter(perm => session.perms.has(perm))
    .map(perm => {
      const all = limitFor(session, perm) === 'all' && !session.onlyMerchants
      const within = scope(session, { merchant: 'w.merchant_no', holder: () => sql`true`, perm })
      return sql`(w.perm = ${perm} and ${all ? sql`true` : sql`(w.merchant_no is not null and ${within})`})`
    })
  return own.length ? sql`(${sql.join(own, sql` or `)})` : sql`false`
}

/** The thresholds in force: those that were set, else the defaults. */
export const thresholdsOf = async (tx: Tx): Promise<Thresholds> => {
  const row = await tx.maybe(sql<{ given: Partial<Thresholds> }>`
    select config_value as given from business_config where config_key = 'WARNING_THRESHOLDS'`)
  return { ...defaults, ...row?.given }
}

const occurred = (tx: Tx, warningNo: string, facts: Params) =>
  tx.exec(sql`insert into warning_occurrence (warning_no, at, facts) values (${warningNo}, ${tx.now}, ${json(facts)})`)

/** Says a critical warning to those who deal with it, at most once an hour to each. */
const tellHolders = async (
  tx: Tx,
  warning: Pick<Warning, 'warningNo' | 'warningType' | 'facts' | 'perm' | 'merchantNo'>,
) => {
  const holders = await tx.rows(sql<{ userNo: string }>`
    select distinct u.user_no from live_menu m join role_menu rm using (menu_no) join user_role ur using (role_no) join app_user u using (user_no)
    where m.perms = ${warning.perm} and ${mayEnter}
      and (${warning.merchantNo}::text is null and rm.limit_type = 'all' or ${warning.merchantNo}::text is not null
        and (rm.limit_type in ('all', 'org_below') or u.principal_merchant_no = ${warning.merchantNo}
          or exists (select 1 from user_merchant um where um.user_no = u.user_no and um.merchant_no = ${warning.merchantNo})))
      and not exists (select 1 from staff_message s where s.user_no = u.user_no and s.template = 'warningRaised' and s.created_time > ${new Date(tx.now.getTime() - 3_600_000)})
    order by u.user_no`)
  for (const { userNo } of holders)
    tell(tx, {
      to: userNo,
      messageType: 'warning',
      template: 'warningRaised',
      params: {
        ...warning.facts,
        title: `warning.${warning.warningType}.title`,
        content: `warning.${warning.warningType}.content`,
      },
      objectType: 'warning',
      objectNo: warning.warningNo,
      route: warningRoute(warning.warningNo),
    })
}

const raise = async (tx: Tx, rule: WarningRule, dedupeKey: string, found: Found, actor: Actor) => {
  const [first] = found.affected
  const values = {
    warningNo: newNo('WN', tx.now),
    dedupeKey,
    warningType: rule.type,
    warningLevel: rule.level,
    perm: handledBy[rule.type],
    merchantNo: found.merchantNo,
    objectType: found.objectType,
    objectNo: first?.objectNo ?? null,
    route: first?.route ?? null,
    facts: json(found.facts),
    affected: json(found.affected.slice(0, most)),
    firstTime: tx.now,
    lastTime: tx.now,
  }
  await create(tx, 'warning', values, { event: 'warning.open' }, actor)
  await occurred(tx, values.warningNo, found.facts)
  if (rule.level === 'critical') await tellHolders(tx, { ...values, facts: found.facts })
}

const again = async (tx: Tx, row: Warning, found: Found, actor: Actor) => {
  const set = {
    facts: json(found.facts),
    affected: json(found.affected.slice(0, most)),
    lastTime: tx.now,
    occurCount: row.occurCount + 1,
  }
  await transition(tx, 'warning', row, { event: 'warning.repeat', set }, actor)
  await occurred(tx, row.warningNo, found.facts)
}

const sameFacts = (a: Params, b: Params) =>
  Object.keys(a).length === Object.keys(b).length && Object.entries(a).every(([name, value]) => b[name] === value)

/** Whether a person ended it after the newest of its causes came up. */
const endedSince = (tx: Tx, dedupeKey: string, since: string) =>
  tx.maybe(
    sql`select 1 from warning where dedupe_key = ${dedupeKey} and warning_status = 'resolved' and resolve_time >= ${since} limit 1`,
  )

/** Runs one rule: what it finds is raised, or noted again where its numbers changed; what it no longer finds is over. */
export const runRule = async (tx: Tx, rule: WarningRule, thresholds: Thresholds, actor: Actor) => {
  const counts = { opened: 0, repeated: 0, resolved: 0 }
  const found = new Map((await rule.find(tx, thresholds)).map(one => [`${rule.type}:${one.key}`, one]))
  const live = await tx.rows(sql<Warning>`
    select * from warning where warning_type = ${rule.type} and warning_status in ('open', 'acknowledged') order by warning_no for update`)
  for (const row of live) {
    const one = found.get(row.dedupeKey)
    found.delete(row.dedupeKey)
    if (one && !sameFacts(row.facts, one.facts)) {
      await again(tx, row, one, actor)
      counts.repeated++
    } else if (!one && !rule.endedByPerson) {
      const move = { event: 'warning.resolve', as: 'system', set: { resolveTime: tx.now } }
      await transition(tx, 'warning', row, move, actor)
      counts.resolved++
    }
  }
  for (const [dedupeKey, one] of found) {
    if (one.since && (await endedSince(tx, dedupeKey, one.since))) continue
    await raise(tx, rule, dedupeKey, one, actor)
    counts.opened++
  }
  return counts
}
