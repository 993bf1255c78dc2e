import { sql } from 'kysely'
import { caseProducts, stageProducts } from '../../../../core/contract/operation/product.ts'
import type { Terms } from '../../../../core/rules/loan/terms.ts'
import type { Machine } from '../../../../core/rules/machines/machine.ts'
import { contentOf } from '../../../../core/rules/product/product-terms.ts'
import type { Tx } from '../../../db/database.ts'
import { json } from '../../../db/json.ts'
import { system } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'

type Product = { productNo: string; track: Terms['track']; terms: Terms; createdTime: string }

/** Gives products that an installation wrote with their terms a first version in force, numbered after its product: those that have none yet. */
export const writeProductVersions = async (tx: Tx): Promise<void> => {
  await tx.exec(sql`select pg_advisory_xact_lock(hashtext('write product versions'))`)
  const actor = system('start')
  const products = await tx.rows(sql<Product>`
    select product_no, track, terms, created_time from product x
    where terms is not null and deleted_time is null and not exists (select 1 from product_version v where v.product_no = x.product_no)
    order by product_no`)
  for (const { productNo, track, terms, createdTime } of products) {
    const { versionMachine } = track === 'case' ? caseProducts : stageProducts
    const machine = versionMachine as Machine
    const by = { makerNo: actor.no, makerName: actor.name, createdTime: tx.now }
    const version = { versionNo: `PDV-${productNo}`, productNo, track, content: json(contentOf(terms)), ...by }
    await create(tx, machine, version, { event: 'version.save' }, actor)
    const draft = { ...version, versionStatus: 'draft', version: 0 }
    const waits = await transition(tx, machine, draft, { event: 'version.submit' }, actor)
    const set = { effectiveTime: createdTime }
    await transition(tx, machine, waits, { event: 'version.approve', as: 'now', set }, actor)
  }
}
