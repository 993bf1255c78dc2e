import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import type { InputOf } from '../../../core/contract/endpoint.ts'
import type { Tx } from '../../db/database.ts'
import { rightsOfPerson } from '../../session/session.ts'
import { smsRouterModule } from '../../systems/operation/sms-router/sms-router.ts'
import { at, handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'
import { merchants } from '../world.ts'

const { verifyRoute, marketingRoute } = contract
type Save = InputOf<typeof verifyRoute.save>

const plain = { senderId: 'NILECREDIT', failoverOrder: 1 }
const all = { ...plain, network: 'any' }

/** Routes of codes: shared by two accounts, one network apart, withdrawals by the surer one. */
const codes: Record<string, unknown>[] = [
  { ...all, accountNo: 'sms-1', routeWeight: 70 },
  { ...all, accountNo: 'sms-2', routeWeight: 30, failoverOrder: 2 },
  { ...plain, network: 'mtn', accountNo: 'sms-1', routeWeight: 80 },
  { ...plain, network: 'mtn', accountNo: 'sms-2', routeWeight: 20, failoverOrder: 2 },
  { ...plain, network: 'airtel', accountNo: 'sms-2', routeWeight: 100 },
  { ...plain, network: 'airtel', accountNo: 'sms-1', routeWeight: 0, failoverOrder: 2 },
  { ...all, scenes: ['withdraw'], accountNo: 'sms-2', routeWeight: 100 },
  { ...all, scenes: ['withdraw'], accountNo: 'sms-1', routeWeight: 0, failoverOrder: 2 },
  { ...all, merchantNo: merchants[0].merchantNo, accountNo: 'sms-1', routeWeight: 100, senderId: 'KASA' },
  {
    ...all,
    merchantNo: merchants[0].merchantNo,
    accountNo: 'sms-2',
    routeWeight: 0,
    failoverOrder: 2,
    senderId: 'KASA',
  },
]

/** Routes of offers: within their hours, capped, and with a hole: nothing carries them to other networks. */
const hours = { windowStart: '09:00', windowEnd: '18:00' }
const offers: Record<string, unknown>[] = [
  { ...plain, ...hours, network: 'mtn', accountNo: 'sms-1', routeWeight: 60, textsADay: 20_000 },
  { ...plain, ...hours, network: 'mtn', accountNo: 'sms-2', routeWeight: 40, failoverOrder: 2, textsADay: 10_000 },
  { ...plain, ...hours, network: 'airtel', accountNo: 'sms-2', routeWeight: 100, textsADay: 10_000 },
  { ...plain, ...hours, network: 'airtel', accountNo: 'sms-1', routeWeight: 0, failoverOrder: 2, textsADay: 0 },
]

/** Routes in force for codes and for offers; one of them is skipped for half an hour. */
export const writeSmsRoutes = async (tx: Tx): Promise<void> => {
  const hand = handFor([smsRouterModule({})])
  const boss = await rightsOfPerson(tx, userNoOf('admin'), 'en')
  const then = at(tx, new Date(tx.now.getTime() - 25 * 86_400_000))
  for (const [calls, rows] of [
    [verifyRoute, codes],
    [marketingRoute, offers],
  ] as const)
    for (const row of rows) {
      const { key } = await hand.call(then, boss, calls.save, row as Save)
      await tx.flush()
      await hand.call(then, boss, calls.state, { routeNo: String(key), enabled: true, version: 0 } as never)
      await tx.flush()
    }
  const { routeNo, version } = await tx.one(sql<{ routeNo: string; version: number }>`
    select route_no, version from sms_route_verify where network = 'airtel' and account_no = 'sms-1'`)
  const lately = at(tx, new Date(tx.now.getTime() - 4 * 60_000))
  await hand.call(lately, boss, verifyRoute.skip, { routeNo, version, reason: 'Airtel delays since 8:00' })
  await tx.flush()
}
