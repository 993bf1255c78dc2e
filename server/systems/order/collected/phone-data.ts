import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import type { Collected } from '../../../../core/contract/order/collected-kinds.ts'
import { metersBetween } from '../../../../core/rules/geo/distance.ts'
import { mask } from '../../../../core/rules/mask.ts'
import type { Tx } from '../../../db/database.ts'
import { noteSeen } from '../../../http/defence/sensitive-reads.ts'
import { serve } from '../../../http/serve.ts'
import { findOrder, orderScope } from '../order/index.ts'
import { consentTimeOf } from './consent.ts'

const { orderCollected } = contract

type Device = NonNullable<OutputOf<typeof orderCollected.device>['device']>
type Positions = NonNullable<Collected['positions']>
type Kept = { apps: Collected['apps'] | null; positions: Positions | null; operator: Collected['operator'] | null }

const keptOf = async (tx: Tx, orderNo: string): Promise<Kept> =>
  (await tx.maybe(
    sql<Kept>`select apps, positions, sim as "operator" from order_collected where order_no = ${orderNo}`,
  )) ?? {
    apps: null,
    positions: null,
    operator: null,
  }

const share = (part: number, whole: number) => (whole === 0 ? '0' : ((100 * part) / whole).toFixed(1))
const monthsBetween = (from: string, to: string) =>
  Number(to.slice(0, 4)) * 12 + Number(to.slice(5, 7)) - Number(from.slice(0, 4)) * 12 - Number(from.slice(5, 7))

/** The SIM card: whose it is, for how long, and what it is used for. */
const operator = serve(orderCollected.operator, async ({ tx, session, actor, input }) => {
  const { orderNo } = await findOrder(tx, session, input.orderNo)
  await noteSeen(tx, actor, { objectType: 'order', objectNo: orderNo, kind: 'operator' })
  const { operator: kept } = await keptOf(tx, orderNo)
  const calls = (kept?.months ?? []).reduce((all, month) => all + month.calls, 0)
  const night = (kept?.months ?? []).reduce((all, month) => all + month.nightCalls, 0)
  return {
    consentTime: await consentTimeOf(tx, orderNo, 'operator'),
    operator: kept
      ? {
          phoneNetwork: kept.phoneNetwork,
          simRegisteredName: kept.simRegisteredName,
          simSince: kept.simSince,
          simMonths: Math.max(0, monthsBetween(kept.simSince, tx.today)),
          nightShare: share(night, calls),
          months: [...kept.months]
            .sort((a, b) => (a.month < b.month ? -1 : 1))
            .map(({ nightCalls, ...month }) => ({ ...month, nightShare: share(nightCalls, month.calls) })),
        }
      : null,
  }
})

/** The apps on the phone, those that lend and those that take bets first. */
const apps = serve(orderCollected.apps, async ({ tx, session, actor, input }) => {
  const { orderNo } = await findOrder(tx, session, input.orderNo)
  await noteSeen(tx, actor, { objectType: 'order', objectNo: orderNo, kind: 'appList' })
  const list = (await keptOf(tx, orderNo)).apps ?? []
  const count = (category: string) => list.filter(app => app.appCategory === category).length
  const rank = ({ appCategory }: { appCategory: string }) => ['gambling', 'lending'].indexOf(appCategory)
  return {
    consentTime: await consentTimeOf(tx, orderNo, 'apps'),
    total: list.length,
    lending: count('lending'),
    gambling: count('gambling'),
    list: [...list].sort((a, b) => rank(b) - rank(a) || (a.installTime < b.installTime ? 1 : -1)),
  }
})

const placeOf = ({ latitude, longitude }: { latitude: string; longitude: string }) => ({
  latitude: Number(latitude),
  longitude: Number(longitude),
})

/** Where the phone was, and how far from where the application was made. */
const location = serve(orderCollected.location, async ({ tx, session, actor, input }) => {
  const { orderNo } = await findOrder(tx, session, input.orderNo)
  await noteSeen(tx, actor, { objectType: 'order', objectNo: orderNo, kind: 'location' })
  const list = (await keptOf(tx, orderNo)).positions ?? []
  const applied = list.find(({ positionKind }) => positionKind === 'apply')
  return {
    consentTime: await consentTimeOf(tx, orderNo, 'location'),
    list: list.map((position, index) => ({
      ...position,
      positionNo: index + 1,
      metersFromApply: applied ? metersBetween(placeOf(applied), placeOf(position)) : null,
    })),
  }
})

/** The phone that applied, and who else applied with it as far as the reader may know. */
const device = serve(orderCollected.device, async ({ tx, session, actor, input }) => {
  const order = await findOrder(tx, session, input.orderNo)
  const { orderNo, customerNo } = order
  await noteSeen(tx, actor, { objectType: 'order', objectNo: orderNo, kind: 'device' })
  const consentTime = await consentTimeOf(tx, orderNo, 'device')
  const given = order.device as Omit<Device, 'sharedDeviceCount'> | null
  if (!consentTime || !given) return { consentTime, device: null, shared: [] }
  const shared = await tx.rows(sql<OutputOf<typeof orderCollected.device>['shared'][number] & { customerNo: string }>`
    select o.order_no, o.customer_no, m.merchant_name, c.customer_name, o.order_status, o.apply_time
    from loan_order o join order_customer c using (customer_no, merchant_no) join merchant m using (merchant_no)
    where o.device ->> 'deviceId' = ${given.deviceId} and o.customer_no <> ${customerNo} and ${orderScope(session)}
    order by o.apply_time desc, o.order_no limit 100`)
  return {
    consentTime,
    device: {
      ...given,
      batteryPercent: given.batteryPercent ?? null,
      sharedDeviceCount: new Set(shared.map(other => other.customerNo)).size,
    },
    shared: shared.map(({ customerNo: _, ...other }) => ({
      ...other,
      customerName: session.desensitized ? mask(other.customerName) : other.customerName,
    })),
  }
})

export const phoneData = [operator, apps, location, device]
