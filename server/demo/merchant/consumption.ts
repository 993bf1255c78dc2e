import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import type { Endpoint } from '../../../core/contract/endpoint.ts'
import type { Meter } from '../../../core/contract/merchant/meters.ts'
import { addDays, startOfEatDay } from '../../../core/rules/time.ts'
import { approvalModule } from '../../approval/approval.ts'
import type { Tx } from '../../db/database.ts'
import { writeAudit } from '../../rights/audit-rows.ts'
import { rightsOfPerson, type Session } from '../../session/session.ts'
import { foldEvents, postBefore } from '../../systems/merchant/consumption/accrue.ts'
import { consumptionModule } from '../../systems/merchant/consumption/consumption.ts'
import { consumptionTypeModule } from '../../systems/merchant/consumption-type/consumption-type.ts'
import { at, handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'

const { consumptionType, consumptionPrice, common } = contract
type Values = Record<string, unknown>
type Type = {
  code: string
  meter: Meter
  unit: string
  names: readonly [string, string, string]
  price: string | null
}

/** Everything that can be charged; one has no price yet, and one is switched off. */
const types: readonly Type[] = [
  {
    code: 'order',
    meter: 'order_accepted',
    unit: 'order',
    names: ['进件', 'Order intake', 'Upokeaji wa ombi'],
    price: '150',
  },
  {
    code: 'review',
    meter: 'machine_review',
    unit: 'order',
    names: ['机审', 'Machine review', 'Ukaguzi wa mfumo'],
    price: '220',
  },
  {
    code: 'bureau',
    meter: 'bureau_query',
    unit: 'query',
    names: ['征信查询', 'Bureau query', 'Ulizo la mikopo'],
    price: '1200',
  },
  {
    code: 'face',
    meter: 'face_check',
    unit: 'query',
    names: ['人脸核验', 'Face check', 'Ukaguzi wa uso'],
    price: '350',
  },
  { code: 'sms', meter: 'sms_part', unit: 'part', names: ['短信', 'SMS', 'SMS'], price: '30' },
  { code: 'call', meter: 'call_minute', unit: 'minute', names: ['人工通话', 'Call', 'Simu'], price: '95.5' },
  {
    code: 'robot',
    meter: 'robot_call_minute',
    unit: 'minute',
    names: ['机器人通话', 'Robot call', 'Simu ya roboti'],
    price: '42.75',
  },
  { code: 'payout', meter: 'payout', unit: 'payment', names: ['放款', 'Payout', 'Utoaji'], price: '500' },
  {
    code: 'link',
    meter: 'repayment_link',
    unit: 'payment',
    names: ['还款链接', 'Repayment link', 'Kiungo cha malipo'],
    price: null,
  },
]

/** How many of the other services an order needs: those that the demo lives through are noted as they happen. */
const more: readonly (readonly [Meter, string, number])[] = [
  ['bureau_query', 'BQ-', 1],
  ['face_check', 'FC-', 1],
  ['sms_part', 'SM-', 3],
  ['call_minute', 'CM-', 2],
  ['repayment_link', 'RL-', 1],
]

/** What is refused to a merchant that has used up what it paid in. */
const stopped: readonly Meter[] = ['sms_part', 'robot_call_minute']
const startDays = 70

/** Services and their prices as finance set them: one rises next month, one merchant has its own, one is switched off. */
const writeTypes = async (tx: Tx, boss: Session, second: Session) => {
  const modules = [consumptionTypeModule()]
  const hand = handFor([...modules, approvalModule(modules.flatMap(one => one.approvals ?? []))])
  const early = at(tx, new Date(startOfEatDay(addDays(tx.today, -startDays))))
  const call = async (when: Tx, who: Session, endpoint: unknown, input: Values) => {
    const answer = (await hand.call(when, who, endpoint as Endpoint, input as never)) as Values
    await tx.flush()
    return answer
  }
  const agree = async (when: Tx, priceNo: unknown, effectiveTime?: string) => {
    const { versionNo } = await tx.one(sql<{ versionNo: string }>`
      select version_no from consumption_price_version where price_no = ${priceNo} and version_status = 'draft'`)
    const input = {
      versionNo,
      version: 0,
      reason: 'Price list of the year',
      ...(effectiveTime ? { effectiveTime } : {}),
    }
    const { approvalNo } = await call(when, boss, consumptionPrice.versionSubmit, input)
    await call(when, second, common.approve, { approvalNo, version: 0 })
  }
  const price = async (typeNo: unknown, unitPrice: string, merchantNo?: string) => {
    const made = await call(early, boss, consumptionPrice.save, {
      typeNo,
      unitPrice,
      ...(merchantNo ? { merchantNo } : {}),
    })
    await agree(early, made.key)
    const { version } = await tx.one(
      sql<{ version: number }>`select version from consumption_price where price_no = ${made.key}`,
    )
    await call(early, boss, consumptionPrice.state, { priceNo: made.key, enabled: true, version })
    return made.key
  }
  for (const {
    code,
    meter,
    unit,
    names: [zh, en, sw],
    price: unitPrice,
  } of types) {
    const typeName = { zh, en, sw }
    const input = { typeCode: code, meter, unit, typeName, prepaidRequired: stopped.includes(meter) }
    const { key: typeNo } = await call(early, boss, consumptionType.save, input)
    if (meter !== 'robot_call_minute')
      await call(early, boss, consumptionType.state, { typeNo, enabled: true, version: 0 })
    const priceNo = unitPrice ? await price(typeNo, unitPrice) : null
    if (meter !== 'sms_part') continue
    await price(typeNo, '27.5', 'M2')
    const now = at(tx, tx.now)
    await call(now, boss, consumptionPrice.versionSave, { priceNo, unitPrice: '32' })
    await agree(now, priceNo, startOfEatDay(addDays(tx.today, 12)))
  }
}

/** What orders needed besides what the demo noted by itself, on the days on which they came. */
const writeMore = async (tx: Tx) => {
  for (const [meter, prefix, most] of more)
    await tx.exec(sql`
      insert into consumption_event (meter, subject_no, merchant_no, quantity, event_time, business_date)
      select ${meter}, ${prefix} || order_no, merchant_no, 1 + length(order_no || merchant_no) % ${most}::int, apply_time, (apply_time at time zone 'Africa/Kampala')::date
      from loan_order where apply_time > ${new Date(Date.parse(startOfEatDay(addDays(tx.today, -startDays + 1))))} on conflict do nothing`)
}

/** The events of each day become its records, and are posted after midnight. */
const writeDays = async (tx: Tx) => {
  const { first } = await tx.one(
    sql<{ first: string | null }>`select min(business_date) as first from consumption_event`,
  )
  await tx.exec(
    sql`create temp table later on commit drop as select event_no from consumption_event where charge = 'open'`,
  )
  await tx.exec(sql`update consumption_event set charge = 'off'`)
  for (let day = first ?? tx.today; day <= tx.today; day = addDays(day, 1)) {
    await tx.exec(sql`
      update consumption_event e set charge = 'open' from later l where l.event_no = e.event_no and e.business_date = ${day}`)
    const evening = at(tx, new Date(Date.parse(startOfEatDay(day)) + 23 * 3_600_000))
    while ((await foldEvents(day === tx.today ? tx : evening)) > 0);
    if (day === tx.today) continue
    const night = at(tx, new Date(Date.parse(startOfEatDay(addDays(day, 1))) + 1_800_000))
    await postBefore(night, night.today)
    await tx.flush()
  }
}

/** Two records that were given back in part, and one whose return waits. */
const giveBack = async (tx: Tx, boss: Session, second: Session) => {
  const [approval] = consumptionModule().approvals ?? []
  const rows = await tx.rows(sql<{ no: string }>`
    select consumption_no as no from consumption_record where consumption_status = 'posted' and quantity > 3 order by business_date desc, consumption_no limit 2`)
  const actor = (who: Session) => ({ no: who.userNo, name: who.realName, requestId: 'demo', ip: null })
  for (const { no } of rows) {
    const payload = { quantity: 2, reason: 'Sent twice by mistake' }
    await approval?.execute(at(tx, tx.now), { objectNo: no, payload, maker: actor(boss), checker: actor(second) })
    const by = { action: 'consumption.reverse', path: '', actor: actor(second) }
    writeAudit(tx, by, [{ objectType: 'consumption_record', objectNo: no }])
    await tx.flush()
  }
}

/** What merchants are charged for, and what they used. */
export const writeConsumption = async (tx: Tx): Promise<void> => {
  const [boss, second] = await Promise.all(['admin', 'admin2'].map(login => rightsOfPerson(tx, userNoOf(login), 'en')))
  if (!boss || !second) return
  await writeTypes(tx, boss, second)
  await writeMore(tx)
  await writeDays(tx)
  await giveBack(tx, boss, second)
}
