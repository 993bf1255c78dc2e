import { sql } from 'kysely'
import { type BaseType, baseOptions, flagsOf } from '../../../../core/contract/telemarketing/base-option.ts'
import type { Tx } from '../../../db/database.ts'
import { newNo } from '../../../money/numbers.ts'
import { system } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'
import { type Default, defaultOptions } from './default-options.ts'

/** Flags of a type that an option does not name. */
const plain = { callable: true, terminalEffect: 'none', needApproval: false, targetEditable: false, internal: false }

const rowOf = (baseType: BaseType, [optionCode, nameZh, nameEn, nameSw, more = {}]: Default, at: number) => {
  const flags = Object.fromEntries(
    (flagsOf[baseType] ?? []).map(name => [name, plain[name as keyof typeof plain] ?? null]),
  )
  return { ...flags, ...more, baseType, optionCode, nameZh, nameEn, nameSw, sort: at + 1 }
}

/** Writes the options of each base type that has none: what people have done with a type since is theirs. */
export const writeBaseOptions = async (tx: Tx): Promise<void> => {
  await tx.exec(sql`select pg_advisory_xact_lock(hashtext('write base options'))`)
  const there = await tx.rows(sql<{ baseType: string }>`select distinct base_type from base_option`)
  const actor = system('start')
  for (const [baseType, options] of Object.entries(defaultOptions) as [BaseType, readonly Default[]][]) {
    if (there.some(row => row.baseType === baseType)) continue
    for (const [at, option] of options.entries()) {
      const optionNo = newNo('BO', tx.now)
      const values = rowOf(baseType, option, at)
      const stamps = { createdTime: tx.now, updatedBy: actor.no, updatedTime: tx.now }
      await create(tx, baseOptions.machine, { optionNo, ...values, ...stamps }, { event: 'item.create' }, actor)
      const row = { optionNo, enabled: 'disabled', version: 0 }
      await transition(tx, baseOptions.machine, row, { event: 'item.enable' }, actor)
    }
  }
}
