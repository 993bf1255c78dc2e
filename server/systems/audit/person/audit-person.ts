import { type RawBuilder, sql } from 'kysely'
import type { codes } from '../../../../core/contract/codes.ts'
import type { Key } from '../../../../core/i18n/index.ts'
import type { Tx } from '../../../db/database.ts'
import { onShift } from '../../../personnel/on-shift.ts'

type Frag = RawBuilder<unknown>

/** A registered auditor as allotment sees one. */
export type Auditor = {
  userNo: string
  realName: string
  groupNo: string
  userStatus: string
  employeeStatus: string
  onDuty: boolean
  merchants: string[]
  merchantNames: string[]
  openCount: number
  queueCap: number
  approvalCap: string
  auditStepMax: number
  autoAllocation: boolean
  acceptFirst: boolean
  acceptRepeat: boolean
  aiEmployee: boolean
}

/** What a task of an order asks of an auditor. `earlier` are the reviews it has had, `holder` who has it in hand. */
export type Wanted = {
  merchantNo: string
  loanKind: string
  auditStep: number
  earlier: readonly { auditorNo: string; auditStep: number }[]
  holder: string | null
}
export type Refusal = { code: keyof typeof codes; key: Key }

export const readAuditors = (tx: Tx, where: Frag): Promise<Auditor[]> =>
  tx.rows(sql<Auditor>`
    select ap.user_no, u.real_name, coalesce(ap.group_no, '') as group_no, u.user_status, u.employee_status, ${onShift(tx, sql`ap.shift_override`).onShift} as on_duty, held.merchants, held.merchant_names,
      (select count(*)::int from audit_task t where t.auditor_no = ap.user_no and t.audit_task_status in ('assigned', 'opened')) as open_count,
      ap.queue_cap, ap.approval_cap, ap.audit_step_max, ap.auto_allocation, ap.accept_first, ap.accept_repeat, ap.ai_employee
    from audit_person ap join app_user u on u.user_no = ap.user_no
    cross join lateral (
      select coalesce(array_agg(m.merchant_no order by m.merchant_no), '{}') as merchants, coalesce(array_agg(m.merchant_name order by m.merchant_no), '{}') as merchant_names
      from merchant m where (m.merchant_no = ap.principal_merchant_no or m.merchant_no = any(ap.associated_merchant_nos))
        and (m.merchant_no = u.principal_merchant_no or m.merchant_no in (select um.merchant_no from user_merchant um where um.user_no = u.user_no))
    ) held
    where ap.gone_time is null and ${where} order by ap.user_no`)

/** Locks auditors before their queues are counted, so that two who allot at once cannot overfill one. */
export const lockAuditors = async (tx: Tx, where: Frag): Promise<Auditor[]> => {
  const locked = await tx.rows(
    sql<{
      userNo: string
    }>`select ap.user_no from audit_person ap join app_user u on u.user_no = ap.user_no where ${where} order by ap.user_no for update of ap`,
  )
  return readAuditors(tx, sql`ap.user_no = any(${locked.map(one => one.userNo)})`)
}

/** Whether this person may no longer take that step: a later step needs somebody who has not reviewed the order, an earlier one somebody who has not taken another step. */
export const hasReviewed = (earlier: Wanted['earlier'], userNo: string, auditStep: number): boolean =>
  earlier.some(review => review.auditorNo === userNo && (auditStep > 1 || review.auditStep !== auditStep))

/** Reasons why an auditor may not get an order, the most lasting ones first. */
const reasons: readonly [key: Key, code: Refusal['code'], applies: (auditor: Auditor, wanted: Wanted) => boolean][] = [
  ['errors.allotLeft', 'validation', auditor => auditor.employeeStatus !== 'on_job'],
  ['errors.allotFrozen', 'validation', auditor => auditor.userStatus !== 'normal'],
  ['errors.allotMerchant', 'validation', (auditor, wanted) => !auditor.merchants.includes(wanted.merchantNo)],
  ['errors.allotAi', 'validation', auditor => auditor.aiEmployee],
  ['errors.allotNoFirst', 'validation', (auditor, wanted) => wanted.loanKind === 'first' && !auditor.acceptFirst],
  ['errors.allotNoRepeat', 'validation', (auditor, wanted) => wanted.loanKind === 'repeat' && !auditor.acceptRepeat],
  ['errors.allotStep', 'validation', (auditor, wanted) => wanted.auditStep > auditor.auditStepMax],
  [
    'errors.allotReviewed',
    'forbidden',
    (auditor, wanted) => hasReviewed(wanted.earlier, auditor.userNo, wanted.auditStep),
  ],
  ['errors.allotHolds', 'validation', (auditor, wanted) => wanted.holder === auditor.userNo],
  ['errors.allotOffDuty', 'validation', auditor => !auditor.onDuty],
  ['errors.allotFull', 'quota', auditor => auditor.openCount >= auditor.queueCap],
]

/** Why this auditor may not get this order, or null. */
export const refusalOf = (auditor: Auditor, wanted: Wanted): Refusal | null => {
  const found = reasons.find(([, , applies]) => applies(auditor, wanted))
  return found ? { key: found[0], code: found[1] } : null
}

const rankOf = (refusal: Refusal) => reasons.findIndex(([key]) => key === refusal.key)

/** The refusal that was nearest to a yes. */
export const nearest = (refusals: readonly Refusal[]): Refusal | undefined =>
  [...refusals].sort((a, b) => rankOf(b) - rankOf(a))[0]
