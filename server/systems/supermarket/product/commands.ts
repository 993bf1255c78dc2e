import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { ParsedOf } from '../../../../core/contract/endpoint.ts'
import {
  marketProductMachine as machine,
  operationFields,
  productFields,
} from '../../../../core/contract/supermarket/market-product.ts'
import { allowedLink, hostsIn } from '../../../../core/rules/market/hosts.ts'
import { picked, storedAll } from '../../../configs/config-hooks.ts'
import { changesOf, noteChange } from '../../../configs/history.ts'
import type { Tx } from '../../../db/database.ts'
import { violatedConstraint } from '../../../db/faults.ts'
import { attachedTo, attachUpload, detachUpload, lockReady } from '../../../files/uploads/stored.ts'
import { checkVersion, Fault, invalid, notFound } from '../../../http/fault.ts'
import { type Call, serve, serveEach } from '../../../http/serve.ts'
import { newNo } from '../../../money/numbers.ts'
import { create, transition } from '../../../states/transition.ts'
import { marketBlocks } from './blocks.ts'
import type { Product } from './moves.ts'
import { ownData } from './own.ts'
import { aboveCap } from './source.ts'

const { marketProduct } = contract
type Values = Record<string, unknown>
type At = Pick<Call, 'tx' | 'session' | 'actor'>
type Command = Parameters<typeof marketBlocks.check>[1]

export const lockProduct = async (tx: Tx, no: string): Promise<Product> => {
  const row = await tx.maybe(
    sql<Product>`select p.* from market_product p where p.market_product_no = ${no} and p.deleted_time is null for update`,
  )
  if (!row) throw notFound()
  return row
}

/** A product, locked, as the caller saw it, and in a state for what is asked. */
const held = async (at: At, command: Command, no: string, version?: number): Promise<Product> => {
  const row = await lockProduct(at.tx, no)
  if (version !== undefined) checkVersion(row, version)
  await marketBlocks.check(at, command, no)
  return row
}

/** The link leads to a host of the platform, and the platform is one that is kept; a form is filled in where the platform takes that. */
const checkLink = async (tx: Tx, { platformNo, applyUrl, handoff }: Values) => {
  const platform = await tx.maybe(
    sql<{
      allowedHosts: string
      takes: boolean
    }>`select allowed_hosts, prefill_url is not null and key_turn > 0 as takes from supermarket_platform where platform_no = ${platformNo} and deleted_time is null`,
  )
  if (!platform) throw invalid('platformNo', 'validation.wrongValue')
  if (!allowedLink(String(applyUrl), hostsIn(platform.allowedHosts))) throw invalid('applyUrl', 'validation.wrongValue')
  if (handoff === 'prefill' && !platform.takes) throw invalid('handoff', 'validation.prefillNotSet')
}

/** A second product of one name on one platform. */
const once = async <T>(run: () => Promise<T>): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    if (violatedConstraint(error)?.startsWith('market_product_'))
      throw invalid('marketProductName', 'errors.dataExists')
    throw error
  }
}

/** The picture of a product is the one that was sent for it; the one before it is let go, unless another product has it. */
const putLogo = async ({ tx, actor }: At, no: string, logo: unknown, before: unknown) => {
  if (logo === before || logo == null) return
  if (!(await attachedTo(tx, String(logo)))) {
    await lockReady(tx, String(logo), { purpose: 'logo', userNo: actor.no })
    await attachUpload(tx, String(logo), 'marketProduct', no, actor)
  }
  const shared = await tx.maybe(
    sql`select 1 from market_product where logo = ${before} and market_product_no <> ${no} and deleted_time is null`,
  )
  if (before && !shared && (await attachedTo(tx, String(before)))) await detachUpload(tx, String(before), actor)
}

const stamp = ({ tx, actor }: At) => ({ updatedBy: actor.no, updatedTime: tx.now })

const add = async (at: At, values: Values): Promise<string> => {
  const { tx, actor } = at
  const no = newNo('MK', tx.now)
  const row = { marketProductNo: no, ...storedAll(values), createdTime: tx.now, ...stamp(at) }
  await once(() => create(tx, machine, row, { event: 'product.save' }, actor))
  const changes = changesOf(productFields, null, values)
  noteChange(tx, machine, { objectNo: no, version: 0, event: 'product.save', changes }, actor)
  return no
}

/** A picture of somebody else's product is not taken for one's own. */
const checkLogo = async (tx: Tx, logo: unknown, before: unknown, draftOf: unknown) => {
  if (logo == null || logo === before || !(await attachedTo(tx, String(logo)))) return
  const known = await tx.maybe(
    sql`select 1 from market_product where logo = ${logo} and market_product_no = ${draftOf ?? ''}`,
  )
  if (!known) throw invalid('logo', 'validation.wrongValue')
}

const saveNew = async (call: Call<ParsedOf<typeof marketProduct.save>>, draftOf: string | null, kept: Values = {}) => {
  const { tx, input } = call
  const data = picked(input, productFields)
  await checkLogo(tx, data.logo, null, draftOf)
  const no = await add(call, { ...kept, ...data, draftOf })
  await putLogo(call, no, data.logo, null)
  call.audit({ objectType: 'market_product', objectNo: no, after: data })
  return { marketProductNo: no, version: 0 }
}

/** Of a product that customers see a draft is written beside it, which begins with where operations have placed it. */
const beside = (call: Call<ParsedOf<typeof marketProduct.save>>, row: Product) =>
  saveNew(call, row.marketProductNo, { ...picked(row, operationFields), sourceProductNo: row.sourceProductNo })

const save = serve(marketProduct.save, async call => {
  const { tx, input, actor } = call
  await checkLink(tx, input)
  if (input.marketProductNo === undefined) return saveNew(call, null)
  const row = await held(call, marketProduct.save, input.marketProductNo, input.version)
  if (row.productStatus === 'online') {
    const open = await tx.maybe(
      sql`select 1 from market_product where draft_of = ${row.marketProductNo} and deleted_time is null`,
    )
    if (open) throw new Fault('stateConflict', 'errors.draftExists')
    return beside(call, row)
  }
  const data = picked(input, productFields)
  await checkLogo(tx, data.logo, row.logo, row.draftOf)
  const moved = await once(() =>
    transition(tx, machine, row, { event: 'product.save', set: { ...storedAll(data), ...stamp(call) } }, actor),
  )
  await putLogo(call, row.marketProductNo, data.logo, row.logo)
  const of = { objectNo: row.marketProductNo, version: moved.version, event: 'product.save' }
  noteChange(tx, machine, { ...of, changes: changesOf(productFields, row, data) }, actor)
  call.audit({
    objectType: 'market_product',
    objectNo: row.marketProductNo,
    before: picked(row, productFields),
    after: data,
  })
  return { marketProductNo: row.marketProductNo, version: moved.version }
})

const importOwn = serve(marketProduct.importOwn, async call => {
  const { tx, input } = call
  await checkLink(tx, input)
  const kind = await tx.maybe(
    sql`select 1 from supermarket_platform where platform_no = ${input.platformNo} and platform_kind = 'own' and deleted_time is null`,
  )
  if (!kind) throw invalid('platformNo', 'validation.ownPlatform')
  const data = await ownData(tx, input.productNo)
  const { platformNo, applyUrl, productNo } = input
  const no = await add(call, { ...data, platformNo, applyUrl, sourceProductNo: productNo })
  call.audit({ objectType: 'market_product', objectNo: no, after: { productNo, ...data } })
  return { marketProductNo: no }
})

const submit = serve(marketProduct.submit, async call => {
  const { tx, input, actor } = call
  const row = await held(call, marketProduct.submit, input.marketProductNo, input.version)
  const set = { submittedBy: actor.no, reason: null, ...stamp(call) }
  const { version } = await transition(tx, machine, row, { event: 'product.submit', set }, actor)
  call.audit({ objectType: 'market_product', objectNo: row.marketProductNo, after: { productStatus: 'submitted' } })
  return { version }
})

/** An enforced cap forbids it; one that only warns asks for a reason. */
const checkCap = async (tx: Tx, no: string, capReason: string | undefined) => {
  const { over, warns } = await tx.one(sql<{ over: string | null; warns: string | null }>`
    select ${aboveCap(tx, 'enforce')} as over, ${aboveCap(tx, 'warn')} as warns from market_product p where p.market_product_no = ${no}`)
  if (over) throw new Fault('validation', 'errors.marketOverCap', { cap: `dict.CAP_KEY.${over}` })
  if (warns && !capReason) throw invalid('capReason', 'validation.capReason', { cap: `dict.CAP_KEY.${warns}` })
}

/** What was agreed to of a draft becomes what customers see, and the draft has done its work. */
const intoOriginal = async (at: At, draft: Product, placed: Values): Promise<number> => {
  const { tx, actor } = at
  const original = await lockProduct(tx, String(draft.draftOf))
  const data = { ...picked(draft, productFields), ...placed }
  const names = [...productFields, ...operationFields]
  const columns = Object.entries({
    ...storedAll(data),
    submittedBy: draft.submittedBy,
    operatedBy: actor.no,
    ...stamp(at),
  })
  await transition(
    tx,
    machine,
    draft,
    { event: 'product.operate', as: 'accept', set: { deletedTime: tx.now, ...stamp(at) } },
    actor,
  )
  const snake = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  await once(() =>
    tx.exec(sql`
      update market_product set ${sql.join(columns.map(([name, value]) => sql`${sql.ref(snake(name))} = ${value}`))}, link_failures = 0, link_fault = null, version = version + 1
      where market_product_no = ${original.marketProductNo}`),
  )
  const version = original.version + 1
  const of = { objectNo: original.marketProductNo, version, event: 'product.operate' }
  noteChange(tx, machine, { ...of, changes: changesOf(names, original, { ...original, ...data }) }, actor)
  return version
}

const operate = serve(marketProduct.operate, async call => {
  const { tx, input, actor } = call
  const row = await held(call, marketProduct.operate, input.marketProductNo, input.version)
  await checkCap(tx, row.marketProductNo, input.capReason)
  if (input.offlineTime && Date.parse(input.offlineTime) <= tx.now.getTime())
    throw invalid('offlineTime', 'validation.timePassed')
  const apps = await tx.rows(
    sql<{ appName: string }>`select distinct app_name from merchant where app_name = any(${input.appCodes})`,
  )
  if (apps.length !== new Set(input.appCodes).size) throw invalid('appCodes', 'validation.wrongValue')
  const placed = picked(input, operationFields)
  call.audit({
    objectType: 'market_product',
    objectNo: row.marketProductNo,
    after: { ...placed, capReason: input.capReason ?? null },
  })
  const original = row.draftOf
    ? await tx.maybe(
        sql<{
          productStatus: string
        }>`select product_status from market_product where market_product_no = ${row.draftOf} and deleted_time is null for update`,
      )
    : undefined
  if (original) {
    const version = await intoOriginal(call, row, placed)
    if (original.productStatus !== 'online') {
      const again = await lockProduct(tx, String(row.draftOf))
      return { version: await backOnline(call, again, version) }
    }
    return { version }
  }
  const set = {
    ...storedAll(placed),
    operatedBy: actor.no,
    reason: null,
    capReason: input.capReason ?? null,
    onlineSince: tx.now,
    linkFailures: 0,
    linkFault: null,
    ...stamp(call),
  }
  const moved = await transition(tx, machine, row, { event: 'product.operate', as: 'accept', set }, actor)
  const of = { objectNo: row.marketProductNo, version: moved.version, event: 'product.operate' }
  noteChange(tx, machine, { ...of, changes: changesOf(operationFields, row, placed) }, actor)
  return { version: moved.version }
})

/** The product went off the shelves while its draft waited: what was agreed to brings it back. */
const backOnline = async (at: At, row: Product, version: number): Promise<number> => {
  if (row.productStatus !== 'offline') return version
  const waits = await transition(at.tx, machine, row, { event: 'product.submit' }, at.actor)
  return (await transition(at.tx, machine, waits, { event: 'product.operate', as: 'accept' }, at.actor)).version
}

const sendBack = serve(marketProduct.sendBack, async call => {
  const { tx, input, actor } = call
  const row = await held(call, marketProduct.sendBack, input.marketProductNo, input.version)
  const set = { reason: input.reason, ...stamp(call) }
  const move = { event: 'product.operate', as: 'return', set, payload: { reason: input.reason } }
  const { version } = await transition(tx, machine, row, move, actor)
  call.audit({
    objectType: 'market_product',
    objectNo: row.marketProductNo,
    after: { productStatus: 'draft', reason: input.reason },
  })
  return { version }
})

const offline = serveEach(marketProduct.offline, {
  ids: input => input.marketProductNos,
  row: async (no, call) => {
    const { tx, input, actor } = call
    const row = await held(call, marketProduct.offline, no)
    const set = { reason: input.reason, ...stamp(call) }
    const move = { event: 'product.offline', as: 'person', set, payload: { reason: input.reason } }
    await transition(tx, machine, row, move, actor)
    call.audit({
      objectType: 'market_product',
      objectNo: no,
      after: { productStatus: 'offline', reason: input.reason },
    })
  },
})

const arrange = serve(marketProduct.arrange, async ({ tx, input, actor, audit }) => {
  const { appCode, marketProductNos } = input
  const rows = await tx.rows(sql<Product & { sort: number }>`
    select p.* from market_product p where p.product_status = 'online' and p.deleted_time is null and ${appCode} = any(p.app_codes) order by p.market_product_no for update`)
  const asked = new Set(marketProductNos)
  if (
    asked.size !== marketProductNos.length ||
    asked.size !== rows.length ||
    !rows.every(row => asked.has(row.marketProductNo))
  )
    throw new Fault('versionConflict', 'errors.recordChanged')
  let moved = 0
  for (const row of rows) {
    const place = marketProductNos.indexOf(row.marketProductNo) + 1
    if (place === row.sort) continue
    moved++
    await tx.exec(
      sql`update market_product set sort = ${place}, version = version + 1 where market_product_no = ${row.marketProductNo}`,
    )
    const changes = changesOf(['sort'], row, { sort: place })
    noteChange(
      tx,
      machine,
      { objectNo: row.marketProductNo, version: row.version + 1, event: 'product.save', changes },
      actor,
    )
    audit({
      objectType: 'market_product',
      objectNo: row.marketProductNo,
      before: { sort: row.sort },
      after: { sort: place },
    })
  }
  return { moved }
})

export const productCommands = [save, importOwn, submit, operate, sendBack, offline, arrange]
