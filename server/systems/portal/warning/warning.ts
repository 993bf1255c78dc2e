import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { WarningRow } from '../../../../core/contract/portal/warning.ts'
import { blocks } from '../../../approval/blocks.ts'
import type { Tx } from '../../../db/database.ts'
import { checkVersion, Fault, notFound } from '../../../http/fault.ts'
import { type Call, serve, serveEach } from '../../../http/serve.ts'
import { listPage } from '../../../lists/list.ts'
import type { Module } from '../../../module.ts'
import { system } from '../../../rights/actor.ts'
import { changes } from '../../../states/changes.ts'
import { transition } from '../../../states/transition.ts'
import type { WarningRule } from '../../../warnings/rule.ts'
import { runRule, thresholdsOf, type Warning, warningScope, warningWords } from '../../../warnings/store.ts'

const { warning } = contract

/** What the list and the commands of warnings know of the rules: which types people end. */
const of = (rules: readonly WarningRule[]) => {
  const byPerson = rules.filter(rule => rule.endedByPerson).map(rule => rule.type as string)
  const warningBlocks = blocks<Warning>({
    read: async (tx, keys) => {
      const rows = await tx.rows(sql<Warning>`select * from warning where warning_no = any(${[...keys]})`)
      return new Map(rows.map(row => [row.warningNo, row]))
    },
    states: row => ({ warning: row.warningStatus }),
    commands: [
      {
        command: warning.ack,
        refuses: ({ warningStatus, ackName }) =>
          warningStatus === 'acknowledged'
            ? new Fault('stateConflict', 'errors.warningTaken', { name: ackName ?? '' }, { status: warningStatus })
            : null,
      },
      {
        command: warning.resolve,
        refuses: ({ warningType, warningStatus }) =>
          warningStatus !== 'resolved' && !byPerson.includes(warningType)
            ? new Fault('stateConflict', 'errors.warningEndsItself', {}, { status: warningStatus })
            : null,
      },
    ],
  })
  const held = async ({ tx, session }: Pick<Call, 'tx' | 'session'>, warningNo: string): Promise<Warning> => {
    const row = await tx.maybe(sql<Warning>`
      select w.* from warning w where w.warning_no = ${warningNo} and ${warningScope(session)} for update`)
    if (!row) throw notFound()
    return row
  }
  return { warningBlocks, held }
}
type Of = ReturnType<typeof of>
type Filled = Pick<Warning, 'warningType' | 'facts'>
type Stored = Omit<WarningRow, 'title' | 'blockedBy'> & { title: Filled }

/** What the words of a warning `w` are made of. */
const filled = sql`jsonb_build_object('warningType', w.warning_type, 'facts', w.facts)`

const pageOf = ({ warningBlocks }: Of) =>
  serve(warning.page, async call => {
    const { tx, session, input } = call
    const found = await listPage<Stored, typeof input>(tx, warning.page, input, {
      from: sql`warning w`,
      joins: { m: sql`left join merchant m on m.merchant_no = w.merchant_no` },
      where: warningScope(session),
      alias: 'w',
      key: sql`w.warning_no`,
      columns: {
        title: filled,
        merchantName: sql`m.merchant_name`,
        ageMinutes: sql`floor(extract(epoch from (coalesce(w.resolve_time, ${tx.now}::timestamptz) - w.first_time)) / 60)::int`,
        blockedBy: sql`'{}'::jsonb`,
      },
    })
    const said = await warningBlocks.of(
      call,
      found.list.map(row => row.warningNo),
    )
    const list = found.list.map((row, at) => ({
      ...row,
      title: warningWords(session.language, row.title).title,
      blockedBy: said[at] ?? {},
    }))
    return { ...found, list }
  })

const occurrencesOf = () =>
  serve(warning.occurrences, async ({ tx, session, input }) => {
    const found = await listPage<
      { occurrenceNo: number; warningNo: string; at: string; content: Filled },
      typeof input
    >(tx, warning.occurrences, input, {
      from: sql`warning_occurrence x join warning w using (warning_no)`,
      where: warningScope(session),
      alias: 'x',
      key: sql`x.occurrence_no`,
      columns: { content: sql`jsonb_build_object('warningType', w.warning_type, 'facts', x.facts)` },
    })
    const list = found.list.map(row => ({ ...row, content: warningWords(session.language, row.content).content }))
    return { ...found, list }
  })

const detailOf = () =>
  serve(warning.detail, async ({ tx, session, input: { warningNo } }) => {
    const row = await tx.maybe(sql<Warning>`
      select w.* from warning w where w.warning_no = ${warningNo} and ${warningScope(session)}`)
    if (!row) throw notFound()
    const { content, rule, next } = warningWords(session.language, row)
    const { resolveTime, resolveName, resolveRemark } = row
    return { warningNo, content, rule, next, affected: [...row.affected], resolveTime, resolveName, resolveRemark }
  })

const alertOf = () =>
  serve(warning.alert, async ({ tx, session }) => {
    const rows = await tx.rows(sql<Filled & { warningNo: string; warningLevel: string; lastTime: string }>`
      select w.warning_no, w.warning_type, w.warning_level, w.facts from warning w
      where w.warning_status = 'open' and ${warningScope(session)} order by w.first_time desc, w.warning_no`)
    const critical = rows.filter(row => row.warningLevel === 'critical')
    const [newest] = critical
    return {
      open: rows.length,
      critical: newest
        ? { count: critical.length, warningNo: newest.warningNo, title: warningWords(session.language, newest).title }
        : null,
    }
  })

const ackOf = ({ warningBlocks, held }: Of) =>
  serveEach(warning.ack, {
    ids: input => input.warningNos,
    row: async (warningNo, call) => {
      const row = await held(call, warningNo)
      await warningBlocks.check(call, warning.ack, warningNo)
      const { no, name } = call.actor
      const set = { ackBy: no, ackName: name, ackTime: call.tx.now }
      await transition(call.tx, 'warning', row, { event: 'warning.ack', set }, call.actor)
      const states = changes({ warningStatus: row.warningStatus }, { warningStatus: 'acknowledged' })
      call.audit({ objectType: 'warning', objectNo: warningNo, ...states })
    },
  })

const resolveOf = ({ warningBlocks, held }: Of) =>
  serve(warning.resolve, async call => {
    const { tx, input, actor } = call
    const row = await held(call, input.warningNo)
    checkVersion(row, input.version)
    await warningBlocks.check(call, warning.resolve, row.warningNo)
    const set = { resolveTime: tx.now, resolveName: actor.name, resolveRemark: input.remark }
    const moved = await transition(tx, 'warning', row, { event: 'warning.resolve', as: 'person', set }, actor)
    const states = changes(
      { warningStatus: row.warningStatus, remark: null },
      { warningStatus: moved.warningStatus, remark: input.remark },
    )
    call.audit({ objectType: 'warning', objectNo: row.warningNo, ...states })
    return { version: moved.version }
  })

/** Runs every rule once. */
export const runRules = async (tx: Tx, rules: readonly WarningRule[]): Promise<Record<string, number>> => {
  const actor = system('job:warning.rules')
  const thresholds = await thresholdsOf(tx)
  const total = { opened: 0, repeated: 0, resolved: 0 }
  for (const rule of rules) {
    const counts = await runRule(tx, rule, thresholds, actor)
    for (const name of ['opened', 'repeated', 'resolved'] as const) total[name] += counts[name]
  }
  return total
}

/** Warnings: raised and ended by the rules of all nouns, taken on and ended by those who hold the permission of their type. */
export const warningModule = (rules: readonly WarningRule[]): Module => {
  const known = of(rules)
  return {
    served: [pageOf, detailOf, occurrencesOf, alertOf, ackOf, resolveOf].map(mount => mount(known)),
    scheduled: [{ job: 'warning.rules', every: { seconds: 60 }, run: tx => runRules(tx, rules) }],
  }
}
