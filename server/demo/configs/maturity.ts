import { sql } from 'kysely'
import type { Holiday } from '../../../core/contract/common/business-config.ts'
import { contract } from '../../../core/contract/contract.ts'
import type { Endpoint } from '../../../core/contract/endpoint.ts'
import { addDays, startOfEatDay } from '../../../core/rules/time.ts'
import { approvalModule } from '../../approval/approval.ts'
import type { Tx } from '../../db/database.ts'
import { system } from '../../rights/actor.ts'
import { rightsOfPerson } from '../../session/session.ts'
import { writeBusinessConfig } from '../../systems/common/business-config.ts'
import { maturityModule } from '../../systems/merchant/maturity/maturity.ts'
import { at, handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'

const { maturity, common } = contract
type Values = Record<string, unknown>

const named: readonly (readonly [string, string, string, string])[] = [
  ['01-01', '元旦', 'New Year’s Day', 'Mwaka Mpya'],
  ['01-26', '解放日', 'Liberation Day', 'Siku ya Ukombozi'],
  ['03-08', '妇女节', 'Women’s Day', 'Siku ya Wanawake'],
  ['05-01', '劳动节', 'Labour Day', 'Siku ya Wafanyakazi'],
  ['06-03', '烈士日', 'Martyrs’ Day', 'Siku ya Mashahidi'],
  ['06-09', '英雄日', 'National Heroes’ Day', 'Siku ya Mashujaa'],
  ['10-09', '独立日', 'Independence Day', 'Siku ya Uhuru'],
  ['12-25', '圣诞节', 'Christmas Day', 'Krismasi'],
  ['12-26', '节礼日', 'Boxing Day', 'Siku ya Boxing'],
]
const holidaysOf = (year: number): Holiday[] =>
  named.map(([day, zh, en, sw]) => ({ date: `${year}-${day}`, name: { zh, en, sw }, closed: true }))

const reminder = (dayOffset: number, time: string) => ({
  dayOffset,
  time,
  nodeCode: dayOffset === 0 ? 'bill.dueToday' : 'bill.dueIn2',
})
const plain = {
  dueShift: 'none',
  reminderPlan: [reminder(-2, '09:00'), reminder(0, '08:00')],
  extensionFromDay: -2,
  extensionToDay: 3,
}

/** Due dates for all, for two merchants and for a product, one of them with a version that waits for its day. */
export const writeMaturity = async (tx: Tx): Promise<void> => {
  const year = Number(tx.today.slice(0, 4))
  const value = [...holidaysOf(year), ...holidaysOf(year + 1)]
  await writeBusinessConfig(tx, 'PUBLIC_HOLIDAYS', { value, version: 0 }, system('demo'))
  const module_ = maturityModule()
  const hand = handFor([module_, approvalModule(module_.approvals ?? [])])
  const now = at(tx, tx.now)
  const [boss, second] = await Promise.all(['admin', 'admin2'].map(login => rightsOfPerson(tx, userNoOf(login), 'en')))
  if (!boss || !second) return
  const call = (who: typeof boss, endpoint: unknown, input: Values) =>
    hand.call(now, who, endpoint as Endpoint, input as never) as Promise<Values>
  const agreed = async (versionNo: unknown, effectiveTime?: string) => {
    await tx.flush()
    const input = {
      versionNo,
      version: 0,
      reason: 'Agreed with the merchant',
      ...(effectiveTime ? { effectiveTime } : {}),
    }
    const { approvalNo } = await call(boss, maturity.versionSubmit, input)
    await tx.flush()
    await call(second, common.approve, { approvalNo, version: 0 })
    await tx.flush()
  }
  const drafted = async (maturityNo: unknown) => {
    const row = await tx.one(
      sql<{
        no: string
      }>`select version_no as no from maturity_config_version where maturity_no = ${maturityNo} and version_status = 'draft'`,
    )
    return row.no
  }
  const merchants = await tx.rows(
    sql<{ no: string }>`select merchant_no as no from merchant order by merchant_no limit 2`,
  )
  const product = await tx.one(sql<{ no: string }>`select product_no as no from product order by product_no limit 1`)
  const rows: Values[] = [
    plain,
    ...merchants.map(({ no }) => ({
      ...plain,
      merchantNo: no,
      reminderPlan: [reminder(-1, '09:00'), reminder(0, '08:00')],
    })),
    { ...plain, productNo: product.no, dueShift: 'next_working_day' },
  ]
  const nos: unknown[] = []
  for (const row of rows) {
    const { key } = await call(boss, maturity.save, row)
    await tx.flush()
    await agreed(await drafted(key))
    const { version } = await tx.one(
      sql<{ version: number }>`select version from maturity_config where maturity_no = ${key}`,
    )
    await call(boss, maturity.state, { maturityNo: key, enabled: true, version })
    await tx.flush()
    nos.push(key)
  }
  const next = await call(boss, maturity.versionSave, { ...plain, maturityNo: nos[1], dueShift: 'next_working_day' })
  await agreed(next.versionNo, startOfEatDay(addDays(tx.today, 7)))
}
