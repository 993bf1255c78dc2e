import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import {
  recommendMachine as machine,
  maxRunning,
  recommendFields,
} from '../../../../core/contract/supermarket/recommend.ts'
import { gt } from '../../../../core/rules/money.ts'
import { picked, storedAll } from '../../../configs/config-hooks.ts'
import { changesOf, noteChange } from '../../../configs/history.ts'
import type { Tx } from '../../../db/database.ts'
import { violatedConstraint } from '../../../db/faults.ts'
import { checkVersion, Fault, invalid, notFound } from '../../../http/fault.ts'
import { type Call, serve, serveEach } from '../../../http/serve.ts'
import { newNo } from '../../../money/numbers.ts'
import { create, transition } from '../../../states/transition.ts'
import { type Recommendation, recommendBlocks } from './blocks.ts'
import { running } from './source.ts'

const { recommend } = contract
type Values = Record<string, unknown>
type At = Pick<Call, 'tx' | 'session' | 'actor'>
type Command = Parameters<typeof recommendBlocks.check>[1]

/** A recommendation, locked, as the caller saw it, and in a state for what is asked. */
const held = async (at: At, command: Command, no: string, version?: number): Promise<Recommendation> => {
  const row = await at.tx.maybe(
    sql<Recommendation>`select r.* from market_recommend r where r.recommend_no = ${no} for update`,
  )
  if (!row) throw notFound()
  if (version !== undefined) checkVersion(row, version)
  await recommendBlocks.check(at, command, no)
  return row
}

const stamp = ({ tx, actor }: At) => ({ updatedBy: actor.no, updatedTime: tx.now })

/** The product is one of the shelves, and lends as much as is said. */
const checkProduct = async (tx: Tx, { marketProductNo, recommendQuota }: Values) => {
  const product = await tx.maybe(sql<{ amountMax: string; productStatus: string }>`
    select amount_max, product_status from market_product where market_product_no = ${marketProductNo} and deleted_time is null and draft_of is null`)
  if (!product) throw invalid('marketProductNo', 'validation.wrongValue')
  if (product.productStatus !== 'online') throw invalid('marketProductNo', 'errors.productNotOnline')
  if (typeof recommendQuota === 'string' && gt(recommendQuota, product.amountMax))
    throw invalid('recommendQuota', 'errors.limitExceeded')
}

/** A second recommendation of one name in one place. */
const once = async <T>(run: () => Promise<T>): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    if (violatedConstraint(error) === 'market_recommend_name') throw invalid('recommendName', 'errors.dataExists')
    throw error
  }
}

const dataOf = (input: Values): Values => ({
  ...picked(input, recommendFields),
  customerStatuses: input.customerStatuses ?? [],
})

const save = serve(recommend.save, async call => {
  const { tx, input, actor, audit } = call
  const data = dataOf(input)
  await checkProduct(tx, data)
  if (input.recommendNo === undefined) {
    const no = newNo('MR', tx.now)
    const row = { recommendNo: no, ...storedAll(data), createdTime: tx.now, ...stamp(call) }
    await once(() => create(tx, machine, row, { event: 'product.save' }, actor))
    const changes = changesOf(recommendFields, null, data)
    noteChange(tx, machine, { objectNo: no, version: 0, event: 'product.save', changes }, actor)
    audit({ objectType: 'market_recommend', objectNo: no, after: data })
    return { recommendNo: no, version: 0 }
  }
  const row = await held(call, recommend.save, input.recommendNo, input.version)
  const set = { ...storedAll(data), ...stamp(call) }
  const { version } = await once(() => transition(tx, machine, row, { event: 'product.save', set }, actor))
  const changes = changesOf(recommendFields, row, data)
  noteChange(tx, machine, { objectNo: row.recommendNo, version, event: 'product.save', changes }, actor)
  audit({
    objectType: 'market_recommend',
    objectNo: row.recommendNo,
    before: picked(row, recommendFields),
    after: data,
  })
  return { recommendNo: row.recommendNo, version }
})

const submit = serve(recommend.submit, async call => {
  const { tx, input, actor, audit } = call
  const row = await held(call, recommend.submit, input.recommendNo, input.version)
  const set = { submittedBy: actor.no, reason: null, ...stamp(call) }
  const { version } = await transition(tx, machine, row, { event: 'product.submit', set }, actor)
  audit({ objectType: 'market_recommend', objectNo: row.recommendNo, after: { productStatus: 'submitted' } })
  return { version }
})

/** An app shows so many at once in a place; those who accept wait for one another. */
const checkRoom = async (tx: Tx, { recommendNo, slot, marketProductNo }: Recommendation) => {
  await tx.exec(sql`select pg_advisory_xact_lock(hashtext(${`recommendations of ${slot}`}))`)
  const full = await tx.maybe(sql<{ app: string }>`
    select app from market_product mine, unnest(mine.app_codes) app where mine.market_product_no = ${marketProductNo}
      and (select count(*) from market_recommend r join market_product p using (market_product_no)
        where r.slot = ${slot} and r.recommend_no <> ${recommendNo} and ${running(tx)} and app = any(p.app_codes)) >= ${maxRunning}
    order by app limit 1`)
  if (full) throw new Fault('stateConflict', 'errors.slotFull', { app: full.app, max: maxRunning })
}

const operate = serve(recommend.operate, async call => {
  const { tx, input, actor, audit } = call
  const row = await held(call, recommend.operate, input.recommendNo, input.version)
  await checkRoom(tx, row)
  const set = { operatedBy: actor.no, reason: null, ...stamp(call) }
  const { version } = await transition(tx, machine, row, { event: 'product.operate', as: 'accept', set }, actor)
  audit({ objectType: 'market_recommend', objectNo: row.recommendNo, after: { productStatus: 'online' } })
  return { version }
})

const sendBack = serve(recommend.sendBack, async call => {
  const { tx, input, actor, audit } = call
  const { reason } = input
  const row = await held(call, recommend.sendBack, input.recommendNo, input.version)
  const move = { event: 'product.operate', as: 'return', set: { reason, ...stamp(call) }, payload: { reason } }
  const { version } = await transition(tx, machine, row, move, actor)
  audit({ objectType: 'market_recommend', objectNo: row.recommendNo, after: { productStatus: 'draft', reason } })
  return { version }
})

const offline = serveEach(recommend.offline, {
  ids: input => input.recommendNos,
  row: async (no, call) => {
    const { tx, input, actor, audit } = call
    const { reason } = input
    const row = await held(call, recommend.offline, no)
    const move = { event: 'product.offline', as: 'person', set: { reason, ...stamp(call) }, payload: { reason } }
    await transition(tx, machine, row, move, actor)
    audit({ objectType: 'market_recommend', objectNo: no, after: { productStatus: 'offline', reason } })
  },
})

const weigh = serve(recommend.weigh, async call => {
  const { tx, input, actor, audit } = call
  const { recommendNo, weight } = input
  const row = await held(call, recommend.weigh, recommendNo, input.version)
  await tx.exec(sql`
    update market_recommend set weight = ${weight}, updated_by = ${actor.no}, updated_time = ${tx.now}, version = version + 1 where recommend_no = ${recommendNo}`)
  const version = row.version + 1
  const changes = changesOf(['weight'], row, { weight })
  noteChange(tx, machine, { objectNo: recommendNo, version, event: 'product.save', changes }, actor)
  audit({ objectType: 'market_recommend', objectNo: recommendNo, before: { weight: row.weight }, after: { weight } })
  return { version }
})

export const recommendCommands = [save, submit, operate, sendBack, offline, weigh]
