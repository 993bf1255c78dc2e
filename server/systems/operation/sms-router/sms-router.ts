import { sql } from 'kysely'
import {
  type RoutePurpose,
  routePurposes,
  routers,
  smsNetwork,
} from '../../../../core/contract/operation/sms-router.ts'
import { startOfEatDay } from '../../../../core/rules/time.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { type Served, serve } from '../../../http/serve.ts'
import type { Deps, Module } from '../../../module.ts'
import { noVendors, type Vendors } from '../../../outgoing/vendors.ts'
import type { Session } from '../../../session/session.ts'
import { routesFor, tableOf } from './route-choice.ts'
import { notYours, routerCalls } from './router-calls.ts'
import { lateStanding, routeRule, routerSource } from './router-source.ts'

type Values = Record<string, unknown>

/** Changes of routes wait for one another: which is the last one is asked and answered by one at a time. */
const oneAtATime = (tx: Tx, purpose: RoutePurpose) =>
  tx.exec(sql`select pg_advisory_xact_lock(hashtext(${`routes of ${purpose}`}))`)

const checkPlace = async (tx: Tx, session: Session, purpose: RoutePurpose, form: Values) => {
  const { merchantNo, appCode } = form
  if (merchantNo) {
    const found = await tx.maybe(
      sql`select 1 from merchant x where x.merchant_no = ${merchantNo} and ${routeRule(session, purpose)}`,
    )
    if (!found) throw invalid('merchantNo', 'validation.wrongValue')
  }
  if (
    appCode &&
    !(await tx.maybe(sql`select 1 from merchant x where x.app_name = ${appCode} and x.deleted_time is null`))
  )
    throw invalid('appCode', 'validation.wrongValue')
}

/** A route of codes that every text can take: there is always one. */
const isCatchAll = ({ merchantNo, appCode, network, scenes }: Values) =>
  merchantNo == null && appCode == null && network === 'any' && ((scenes as string[] | null) ?? []).length === 0

/** Refuses to take away what texts of today go by, or the last route of codes that every text can take. */
const keepLast = async (tx: Tx, purpose: RoutePurpose, item: Values) => {
  if (item.enabled !== 'enabled') return
  const others = sql`select 1 from ${tableOf(purpose)} x where x.route_no <> ${item.routeNo} and x.enabled = 'enabled' and x.deleted_time is null
    and x.merchant_no is not distinct from ${item.merchantNo ?? null} and x.app_code is not distinct from ${item.appCode ?? null}
    and x.network = ${item.network} and x.scenes = ${(item.scenes as string[] | null) ?? []}::text[] limit 1`
  if (await tx.maybe(others)) return
  if (purpose === 'verify' && isCatchAll(item)) throw new Fault('stateConflict', 'errors.lastRoute')
  const used = await tx.maybe(sql`
    select 1 from message where route_no = ${item.routeNo} and send_time >= ${startOfEatDay(tx.today)} limit 1`)
  if (used) throw new Fault('stateConflict', 'errors.lastRouteUsed')
}

const isMoved = (item: Values, form: Values) =>
  ['merchantNo', 'appCode', 'network', 'scenes'].some(
    name => JSON.stringify(item[name] ?? null) !== JSON.stringify(form[name] ?? null),
  )

const checkOnce = async (tx: Tx, purpose: RoutePurpose, form: Values, routeNo: unknown) => {
  const found = await tx.maybe(sql`
    select 1 from ${tableOf(purpose)} x where x.deleted_time is null and x.route_no <> ${routeNo ?? ''} and x.account_no = ${form.accountNo} and x.sender_id = ${form.senderId}
      and x.merchant_no is not distinct from ${form.merchantNo ?? null} and x.app_code is not distinct from ${form.appCode ?? null}
      and x.network = ${form.network} and x.scenes = ${(form.scenes as string[] | null) ?? []}::text[] limit 1`)
  if (found) throw invalid('accountNo', 'errors.dataExists')
}

/** A route goes by an account of texts that there is. */
const checkAccount = async (tx: Tx, { sms }: Vendors, accountNo: unknown) => {
  if (sms.some(one => one.accountNo === accountNo)) return
  const found = await tx.maybe(sql`
    select 1 from message_account where account_no = ${accountNo} and channel_type = 'sms' and deleted_time is null`)
  if (!found) throw invalid('accountNo', 'validation.wrongValue')
}

const served = (purpose: RoutePurpose, vendors: Vendors) =>
  serveConfig(routers[purpose].config, {
    prefix: purpose === 'verify' ? 'RV' : 'RM',
    unique: 'accountNo',
    mayChange: ({ session }, { merchantNo }) => notYours(session, merchantNo),
    derived: values => ({ scenes: values.scenes ?? [] }),
    async check({ tx, session }, form, before) {
      await checkPlace(tx, session, purpose, form)
      await checkAccount(tx, vendors, form.accountNo)
      await oneAtATime(tx, purpose)
      await checkOnce(tx, purpose, form, before?.routeNo)
      if (before && isMoved(before, { ...form, scenes: form.scenes ?? [] })) await keepLast(tx, purpose, before)
    },
    async switches(tx, item, to) {
      await oneAtATime(tx, purpose)
      if (to === 'disabled') await keepLast(tx, purpose, item)
    },
    source: routerSource(purpose),
    late: lateStanding(purpose),
  })

const correct = serve(smsNetwork.correct, async call => {
  const { tx, session, input, actor } = call
  const refusal = notYours(session, null)
  if (refusal) throw refusal
  const { phone, network, reason } = input
  await tx.exec(sql`
    insert into sms_network (phone, network, reason, updated_by, updated_time) values (${phone}, ${network}, ${reason}, ${actor.no}, ${tx.now})
    on conflict (phone) do update set network = excluded.network, reason = excluded.reason, updated_by = excluded.updated_by, updated_time = excluded.updated_time`)
  call.audit({ objectType: 'sms_network', objectNo: phone.slice(0, 5), after: { network, reason } })
  return {}
})

/** Which vendor carries which texts. */
export const smsRouterModule = ({ vendors = noVendors }: Pick<Deps, 'vendors'>): Module => {
  const configs = routePurposes.map(purpose => served(purpose, vendors))
  return {
    served: [
      ...configs.flatMap(one => one.served),
      ...routePurposes.flatMap(purpose => routerCalls(purpose, vendors)),
      correct as Served,
    ],
    lists: configs.flatMap(one => one.lists),
    approvals: configs.flatMap(one => one.approvals),
    scheduled: configs.flatMap(one => one.scheduled),
    warnings: configs.flatMap(one => one.warnings),
    outgoing: {
      routes: async (tx, message) =>
        (await routesFor(tx, message)).map(({ route: { routeNo, accountNo, senderId } }) => ({
          routeNo,
          accountNo,
          senderId,
        })),
    },
  }
}
