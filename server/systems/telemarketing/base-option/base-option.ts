import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { type BaseType, baseOptions, baseTypes, flagsOf } from '../../../../core/contract/telemarketing/base-option.ts'
import { noteChange } from '../../../configs/history.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import type { HeldValue, Module } from '../../../module.ts'
import { transition } from '../../../states/transition.ts'
import { usedCount, usesOf } from '../../user/dictionary/index.ts'

const { baseOption } = contract
type Values = Record<string, unknown>
type Held = { optionNo: string; optionCode: string; enabled: string; sort: number; version: number }

const bySystem = (item: Values) => (item.system ? new Fault('stateConflict', 'errors.optionSystem') : null)
const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** A flag that is off, and an effect that is none, may be left out. */
const said = (flag: unknown) => (flag === 'none' ? null : flag || null)

/** What the program relies on: the flags of its own options stay, and the feedback type of a subtype is named. */
const check = (form: Values, before: Values | null) => {
  const type = (before?.baseType ?? form.baseType) as BaseType
  if (type === 'CS_SUBTYPE' && !form.parentCode) throw invalid('parentCode', 'validation.infoComplete')
  if (!before && (type === 'INTENTION_LABEL') !== /^[A-Z]$/.test(String(form.optionCode)))
    throw invalid('optionCode', 'validation.optionCodeFormat')
  const fixed = before?.system ? (['terminalEffect', 'internal', 'callable'] as const) : []
  const wrong = fixed.find(name => flagsOf[type]?.includes(name) && said(form[name]) !== said(before?.[name]))
  if (wrong) throw invalid(wrong, 'errors.optionSystem')
}

const optionsFor = (held: readonly HeldValue[]) =>
  serveConfig(baseOptions, {
    prefix: 'BO',
    unique: 'optionCode',
    startsEnabled: () => true,
    fixed: bySystem,
    check: async (_, form, before) => check(form, before),
    async uses(tx, keys) {
      const rows = await tx.rows(sql<{ key: string; baseType: string; optionCode: string }>`
        select option_no as key, base_type, option_code from base_option where option_no = any(${[...keys]})`)
      const found = await Promise.all(
        rows.map(row => usesOf(tx, held, { dict: row.baseType, value: row.optionCode, key: row.key })),
      )
      return found.flat()
    },
    source: () => ({
      columns: { usedCount: usedCount(held, { type: sql`x.base_type`, value: sql`x.option_code` }) },
      filters: {
        baseType: (type: string) => sql`x.base_type = ${type}`,
        search: (text: string) =>
          sql`concat_ws(' ', x.option_code, x.name_zh, x.name_en, x.name_sw) ilike ${like(text)}`,
      } as never,
    }),
  })

const tree = serve(baseOption.tree, async ({ tx }) => {
  const counted = await tx.rows(sql<{ baseType: BaseType; optionCount: number }>`
    select base_type, count(*)::int as option_count from base_option where deleted_time is null group by base_type`)
  const counts = new Map(counted.map(({ baseType, optionCount }) => [baseType, optionCount]))
  return { list: baseTypes.values.map(baseType => ({ baseType, optionCount: counts.get(baseType) ?? 0 })) }
})

const sort = serve(baseOption.sort, async ({ tx, input, actor, audit }) => {
  const { baseType, optionCodes, parentCode = null } = input
  const rows = await tx.rows(sql<Held>`
    select option_no, option_code, enabled, sort, version from base_option
    where base_type = ${baseType} and parent_code is not distinct from ${parentCode}::text and deleted_time is null
    order by option_no for update`)
  const asked = new Set(optionCodes)
  if (asked.size !== optionCodes.length || asked.size !== rows.length || !rows.every(row => asked.has(row.optionCode)))
    throw new Fault('versionConflict', 'errors.recordChanged')
  let moved = 0
  for (const row of rows) {
    const place = optionCodes.indexOf(row.optionCode) + 1
    if (place === row.sort) continue
    moved++
    const set = { sort: place, updatedBy: actor.no, updatedTime: tx.now }
    const { version } = await transition(tx, baseOptions.machine, row, { event: 'item.update', set }, actor)
    const changes = [{ field: 'sort', before: JSON.stringify(row.sort), after: JSON.stringify(place) }]
    noteChange(tx, baseOptions.machine, { objectNo: row.optionNo, version, event: 'item.update', changes }, actor)
    audit({
      objectType: baseOptions.table,
      objectNo: row.optionNo,
      before: { sort: row.sort },
      after: { sort: place },
    })
  }
  return { moved }
})

/** The choices on the forms of telemarketing and customer service. */
export const baseOptionModule = (held: readonly HeldValue[] = []): Module => {
  const options = optionsFor(held)
  return { served: [...options.served, tree, sort], lists: options.lists }
}
