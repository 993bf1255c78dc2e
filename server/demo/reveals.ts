import { sql } from 'kysely'
import { contract } from '../../core/contract/contract.ts'
import type { SensitiveKind } from '../../core/contract/fields.ts'
import { addDays, startOfEatDay } from '../../core/rules/time.ts'
import type { Tx } from '../db/database.ts'
import { noteReveal } from '../http/defence/sensitive-reads.ts'
import { rightsOfPerson } from '../session/session.ts'
import { sensitiveInfoModule } from '../systems/operation/sensitive-info/sensitive-info.ts'
import { at, handFor } from './hand.ts'
import { auditors, userNoOf } from './staff.ts'

const { sensitiveInfo } = contract
const kinds: readonly SensitiveKind[] = ['phone', 'phone', 'phone', 'walletAccount', 'idNumber', 'bankCardNo']
const routes = ['mkopo-audit-my-audit', 'mkopo-after-loan-loan-management', 'mkopo-after-loan-repayment-management']
const minute = 60_000
const shownDays = 7
const hours = 9
/** Values that one person reveals within the hour in which they meet the cap. */
const hurried = 24

/** A week of reveals: one person above the cap of phone numbers, one line of the middle of the night. */
export const writeReveals = async (tx: Tx): Promise<void> => {
  const hand = handFor([sensitiveInfoModule()])
  const boss = await rightsOfPerson(tx, userNoOf('admin'), 'en')
  const before = at(tx, new Date(Date.parse(startOfEatDay(addDays(tx.today, -8)))))
  const stricter = {
    ...{ fieldKey: 'phone' as const, version: 0, dataClass: 'C3' as const, listMask: 'spec' as const },
    ...{ revealHourCap: hurried - 4, revealDayCap: 200, reasonRequired: false, codeRequired: false },
  }
  await hand.call(before, boss, sensitiveInfo.save, stricter)
  const orders = await tx.rows(
    sql<{ orderNo: string }>`select order_no from loan_order order by apply_time desc limit 400`,
  )
  if (orders.length === 0) return
  const staff = auditors.map(userNoOf)
  let n = 0
  const seen = async (userNo: string, then: number, kind: SensitiveKind) => {
    const objectNo = orders[(n++ * 17) % orders.length]?.orderNo ?? ''
    const actor = { no: userNo, name: userNo, requestId: `demo-${n}`, ip: `10.1.3.${1 + (n % 40)}` }
    const read = { objectType: 'order', objectNo, field: kind, kind, route: routes[n % routes.length] }
    await noteReveal(at(tx, new Date(then)), actor, read, kind === 'bankCardNo')
    await tx.flush()
  }
  for (let day = shownDays; day > 0; day--) {
    const begins = Date.parse(startOfEatDay(addDays(tx.today, -day))) + 8 * 60 * minute
    for (const [who, userNo] of staff.entries())
      for (let hour = 0; hour < hours; hour += 1 + (who % 3))
        await seen(
          userNo,
          begins + (hour * 60 + ((who * 7 + day * 11) % 60)) * minute,
          kinds[n % kinds.length] as SensitiveKind,
        )
  }
  const yesterday = Date.parse(startOfEatDay(addDays(tx.today, -1)))
  const [first, other] = staff
  if (first) for (let m = 0; m < hurried; m++) await seen(first, yesterday + (18 * 60 + m) * minute, 'phone')
  if (other) await seen(other, yesterday + 130 * minute, 'idNumber')
}
