import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import type { Endpoint } from '../../../core/contract/endpoint.ts'
import { add, gt, type Money, max, neg, zeroMoney } from '../../../core/rules/amount.ts'
import { addDays } from '../../../core/rules/time.ts'
import type { Tx } from '../../db/database.ts'
import { rightsOfPerson } from '../../session/session.ts'
import { merchantConfigModule } from '../../systems/merchant/merchant-config/merchant-config.ts'
import { paymentDisplayModule } from '../../systems/merchant/payment-display/payment-display.ts'
import { handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'

const { merchantConfig, paymentDisplay } = contract
type Merchant = { merchantNo: string; merchantName: string; available: Money }
type Values = Record<string, unknown>

/** Amounts that make a wallet stand as it is said to, whatever is in it. */
const marks = (standing: 'fine' | 'low' | 'at_floor', available: Money) => {
  const held = max(available, zeroMoney)
  if (standing === 'at_floor')
    return { settlementMode: 'prepaid', creditFloor: held, lowBalance: add(held, '50000.00') }
  const settlementMode = gt(available, zeroMoney) ? 'prepaid' : 'postpaid'
  const creditFloor = gt(available, zeroMoney) ? zeroMoney : add(available, '-400000.00')
  const lowBalance = standing === 'low' ? add(available, '75000.00') : add(creditFloor, '10000.00')
  return { settlementMode, creditFloor, lowBalance }
}

const postpaid = { settlementMode: 'postpaid', creditFloor: neg('800000.00'), lowBalance: neg('600000.00') }

/** How each merchant stands, by its place among them; the last one is still being connected. */
const stands = (place: number, available: Money): Values & { ends: number; environment: string } => {
  const live = { environment: 'live', ends: 400 }
  if (place === 0) return { ...live, ...marks('fine', available) }
  if (place === 1) return { ...live, ...marks('low', available), ends: 210 }
  if (place === 2) return { ...live, ...marks('at_floor', available), ends: 150 }
  if (place === 3) return { ...live, ...postpaid }
  if (place === 4) return { ...live, ...marks('fine', available), ends: 19 }
  return { ...live, ...marks('fine', available), environment: 'test' }
}

/** What merchants' systems were sent of their latest orders: those of the first arrived, those of the second did not. */
const writeCallbacks = async (tx: Tx, merchantNo: string, arrived: boolean, count: number) => {
  const delivery = arrived ? 'delivered' : 'dead'
  await tx.exec(sql`
    insert into merchant_callback (callback_no, merchant_no, callback_event, transition_no, order_no, third_order_no, body, payload_hash, delivery, tries,
      answer_code, answer_text, latency_ms, created_time, last_try_time, delivered_time)
    select 'CB' || s.transition_no, ${merchantNo}, 'order.status', s.transition_no, s.order_no, s.third_order_no, s.body, encode(sha256(s.body::bytea), 'hex'), ${delivery},
      ${arrived ? 1 : 10}, ${arrived ? 200 : 503}, ${arrived ? 'ok' : 'Service Unavailable'}, 80 + (s.transition_no % 90)::int, s.at, s.at, ${arrived ? sql`s.at` : null}
    from (
      select t.transition_no, t.at, o.order_no, o.third_order_no, json_build_object('eventId', 'CB' || t.transition_no, 'event', 'order.status',
        'thirdOrderNo', o.third_order_no, 'orderNo', o.order_no, 'status', t.to_state, 'time', t.at)::text as body
      from state_transition t join loan_order o on t.machine = 'M10' and t.object_no = o.order_no
      where o.merchant_no = ${merchantNo} and t.from_state <> t.to_state order by t.transition_no desc limit ${count}) s`)
}

const ways = [
  ['payout', 'mtn_momo', 'MTN 移动钱包', 'MTN Mobile Money', 'MTN Mobile Money', 1],
  ['payout', 'airtel_money', 'Airtel 钱包', 'Airtel Money', 'Airtel Money', 2],
  ['repay', 'mtn_momo', 'MTN 移动钱包', 'MTN Mobile Money', 'MTN Mobile Money', 1],
  ['repay', 'airtel_money', 'Airtel 钱包', 'Airtel Money', 'Airtel Money', 2],
  ['repay', 'bank_file', '银行转账', 'Bank transfer', 'Uhamisho wa benki', 3],
] as const
const hint = { zh: '到账约需一分钟', en: 'Arrives within a minute', sw: 'Hufika ndani ya dakika moja' }

/** How the merchants are connected and what they pay by, each standing differently; what their apps show of payments. */
export const writeMerchantConfigs = async (tx: Tx): Promise<void> => {
  const hand = handFor([merchantConfigModule({ secretKey: randomBytes(32) }), paymentDisplayModule()])
  const boss = await rightsOfPerson(tx, userNoOf('admin'), 'en')
  const act = async (call: unknown, input: Values) => {
    await hand.call(tx, boss, call as never, input as never)
    await tx.flush()
  }
  const merchants = await tx.rows(sql<Merchant>`
    select m.merchant_no, m.merchant_name, (coalesce(-b.balance, 0) - coalesce(r.accrued, 0))::numeric(18,2) as available
    from merchant m left join ledger_balance b on b.account_code = 'merchant:' || m.merchant_no
      left join lateral (select sum(c.consumption_amount - c.reversed_amount) as accrued from consumption_record c
        where c.merchant_no = m.merchant_no and c.consumption_status = 'accruing') r on true
    where m.deleted_time is null order by m.created_time, m.merchant_no limit 7`)
  for (const [place, { merchantNo, merchantName, available }] of merchants.entries()) {
    const { ends, ...standing } = stands(place, available)
    const host = merchantName.toLowerCase().replace(/[^a-z]/g, '')
    await act(merchantConfig.add as Endpoint, {
      merchantNo,
      contractNo: `NC/${tx.today.slice(0, 4)}/${String(place + 11).padStart(3, '0')}`,
      contractStart: addDays(tx.today, ends - 730),
      contractEnd: addDays(tx.today, ends),
      contactEmail: `finance@${host}.example`,
      contactPhone: `25677200${String(4100 + place)}`,
      ...standing,
    })
    if (place > 2) continue
    for (const [direction, channel, zh, en, sw, sort] of ways)
      await act(paymentDisplay.save, {
        ...{ merchantNo, direction, channel, sort, hint, displayName: { zh, en, sw } },
        minAmount: '1000.00',
        maxAmount: channel === 'bank_file' ? '20000000.00' : '5000000.00',
      })
    if (place > 1) continue
    // What two people agreed to before the demo begins; these hosts are nowhere, so nothing more is sent to them.
    await tx.exec(sql`
      update merchant_config set callback_url = ${`https://hooks.${host}.example/mkopo`}, callback_events = '{order.status,payout.result,order.settled}'
      where merchant_no = ${merchantNo}`)
    await writeCallbacks(tx, merchantNo, place === 0, place === 0 ? 160 : 40)
  }
}
