import { sql } from 'kysely'
import { expect } from 'vitest'
import { contract, endpoints } from '../../core/contract/contract.ts'
import type { ListEndpoint } from '../../core/contract/endpoint.ts'
import { type House, openHouse } from './house.ts'

export type Row = Record<string, unknown>
const { audit, bankBatch, common, exports, loan, message, order, repay, view, imports, leave } = contract
const isList = (endpoint: unknown): endpoint is ListEndpoint => 'defaultSort' in (endpoint as object)
export const lists = endpoints.flatMap(({ name, endpoint }) => (isList(endpoint) ? [{ name, list: endpoint }] : []))

/** The column that tells rows apart where nothing else does. */
export const keys = new Map<unknown, string>([
  [audit.allotList, 'orderNo'],
  [audit.selfList, 'auditTaskNo'],
  [audit.manageList, 'orderNo'],
  [bankBatch.page, 'batchNo'],
  [common.auditLog, 'auditNo'],
  [common.approvals, 'approvalNo'],
  [exports.page, 'exportNo'],
  [imports.page, 'importNo'],
  [leave.page, 'leaveNo'],
  [loan.page, 'loanCode'],
  [message.page, 'staffMessageNo'],
  [order.follows, 'followNo'],
  [order.history, 'orderNo'],
  [repay.page, 'orderNo'],
  [repay.flows, 'flowNo'],
  [view.page, 'viewNo'],
])
/** What a list must be asked for, of an order. */
const asked = new Map<unknown, (orderNo: string) => Row>([
  [audit.selfList, () => ({ box: 'todo' })],
  [common.approvals, () => ({ box: 'mine' })],
  [order.follows, orderNo => ({ orderNo })],
  [order.history, orderNo => ({ orderNo })],
  [view.page, () => ({ widget: 'mkopo-portal-home' })],
])
/** Copies rows under other keys, with ties and gaps in what they are ordered by; `n` counts the copies. */
const copied = (house: House, table: string, where: string, changes: string, count = 33) =>
  house.exec(sql`
    insert into ${sql.table(table)}
    select (jsonb_populate_record(x, ${sql.raw(changes)})).* from ${sql.table(table)} x, generate_series(1, ${count}) n where ${sql.raw(where)}`)

const prefixed = (...names: string[]) =>
  names.map(name => `'${name}', x.${name} || '-' || n % 7 || '-' || n`).join(', ')
const at = (name: string) => `'${name}', x.${name} - n % 5 * interval '1 hour'`
const maybe = (name: string, value: string) => `'${name}', case when n % 3 > 0 then ${value} end`

/** A house with enough rows in every list to turn pages, with ties and gaps in what they are ordered by. */
export const openCrowd = async () => {
  const house = await openHouse({ handmade: true })
  const waiting = await house.allotted()
  const paid = await house.repaid()
  const known = paid.orderNo
  const { auditTaskNo } = await house.taskOf(waiting)
  const flowNo = await house.receivedFlow()
  const exportNo = await house.exported()
  const { approvalNo } = await house.requested()
  const orders = (no: string) =>
    copied(
      house,
      'loan_order',
      `order_no = '${no}'`,
      `jsonb_build_object(${prefixed('order_no', 'third_order_no')}, 'pay_code', null, ${at('apply_time')}, ${at('status_time')},
        'payout_time', x.payout_time - n % 4 * interval '1 day', ${maybe('audit_time', "x.apply_time + n % 2 * interval '1 minute'")},
        ${maybe('settled_time', "x.apply_time + n % 4 * interval '1 day'")}, 'loan_amount', (1 + n % 4) * 50000, 'overdue_days', n % 3)`,
    )
  await orders(waiting)
  await orders(paid.orderNo)
  await copied(
    house,
    'audit_task',
    `audit_task_no = '${auditTaskNo}'`,
    `jsonb_build_object(${prefixed('audit_task_no', 'order_no')}, ${at('allot_time')}, ${maybe('submit_time', 'x.allot_time')})`,
  )
  await house.exec(sql`
    insert into repay_plan
    select (jsonb_populate_record(b, jsonb_build_object('bill_no', b.bill_no || o.order_no, 'order_no', o.order_no, 'due_date', b.due_date - length(o.order_no) % 2))).*
    from repay_plan b, loan_order o where b.order_no = ${known} and o.order_no like ${`${known}-%`} and o.overdue_days <> 1`)
  await house.exec(sql`
    update loan_order set terms = terms || '{"earlySettlement": "proRata"}' where order_no like ${`${known}-%`} and loan_amount = 50000`)
  await copied(
    house,
    'loan_code',
    `order_no = '${known}'`,
    `jsonb_build_object(${prefixed('loan_code', 'order_no')}, ${at('request_time')}, ${maybe('finish_time', "x.request_time + n % 2 * interval '1 minute'")}, 'actual_loan_amount', 1000 + n % 4 * 1000, 'serial_no', null)`,
  )
  await copied(
    house,
    'repay_flow',
    `flow_no = '${flowNo}'`,
    `jsonb_build_object(${prefixed('flow_no', 'serial_no')}, ${at('entry_time')}, 'amount', 1000 + n % 4 * 1000)`,
  )
  await copied(
    house,
    'export_job',
    `export_no = '${exportNo}'`,
    `jsonb_build_object(${prefixed('export_no', 'file_id')}, ${at('request_time')})`,
  )
  const importNo = await house.brought()
  await copied(
    house,
    'import_job',
    `import_no = '${importNo}'`,
    `jsonb_build_object(${prefixed('import_no', 'file_id')}, ${at('request_time')}, 'import_status', 'cancelled')`,
  )
  const leaveNo = await house.leaveAsked()
  await copied(
    house,
    'leave_apply',
    `leave_no = '${leaveNo}'`,
    `jsonb_build_object(${prefixed('leave_no')}, ${at('start_time')}, ${at('created_time')}, 'leave_status', 'cancelled')`,
  )
  const { batchNo } = await house.batched()
  await copied(
    house,
    'bank_batch',
    `batch_no = '${batchNo}'`,
    `jsonb_build_object('batch_no', 'BB' || n % 7 || '-' || n, ${at('created_time')}, ${maybe('sent_time', 'x.created_time')}, 'amount', 1000 + n % 4 * 1000,
      'payment_count', 1 + n % 3)`,
  )
  await copied(
    house,
    'gateway_attempt',
    `batch_no = '${batchNo}'`,
    `jsonb_build_object(${prefixed('external_id', 'gateway_ref')}, 'parent_kind', 'copy' || n, 'batch_no', 'BB' || n % 7 || '-' || n,
      'attempt_status', (array['sent', 'succeeded', 'failed'])[1 + n % 3])`,
  )
  await copied(
    house,
    'approval',
    `approval_no = '${approvalNo}'`,
    `jsonb_build_object(${prefixed('approval_no', 'object_no')}, ${at('submit_time')})`,
  )
  await house.exec(sql`
    insert into staff_message (staff_message_no, user_no, message_type, template, params, object_type, object_no, created_time)
    select 'SM' || n % 7 || n, ${house.boss.userNo}, 'result', 'approvalApproved', '{}', 'approval', 'A' || n, timestamptz '2026-03-01 08:00Z' + n % 5 * interval '1 hour' from generate_series(1, 33) n`)
  await house.exec(sql`
    insert into follow_record (follow_no, order_no, follow_result, created_by, created_time)
    select 'FO' || n % 7 || n, ${known}, 'no_answer', ${house.boss.userNo}, timestamptz '2026-03-01 08:00Z' + n % 5 * interval '1 hour' from generate_series(1, 33) n`)
  for (let n = 0; n < 29; n++) await house.savedView()

  const ask = async (list: ListEndpoint, input: Row) => {
    const answer = await house.call(list, input as never, { as: house.boss })
    expect(answer.code, `${list.path} ${JSON.stringify(input)}: ${answer.msg}`).toBe(0)
    return answer.data as { list: Row[]; total: number; next: string | null; previous: string | null }
  }

  /** All rows, page by number. */
  const everything = async (list: ListEndpoint, input: Row): Promise<Row[]> => {
    const found: Row[] = []
    for (let pageNum = 1; ; pageNum++) {
      const { list: rows } = await ask(list, { ...input, pageSize: 100, pageNum })
      found.push(...rows)
      if (rows.length < 100) return found
    }
  }

  return { house, ask, everything, askedOf: (list: ListEndpoint): Row => asked.get(list)?.(known) ?? {} }
}

const compared = (a: unknown, b: unknown): number => {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  const [x, y] = [Number(a), Number(b)]
  const [left, right] = Number.isNaN(x) || Number.isNaN(y) ? [String(a), String(b)] : [x, y]
  return left < right ? -1 : left > right ? 1 : 0
}

/** What the order of a list means, said once more. */
export const naive = (rows: readonly Row[], sort: string, key: string): Row[] => {
  const name = sort.replace('-', '')
  const way = sort.startsWith('-') ? -1 : 1
  return [...rows].sort((a, b) => {
    const [x, y] = [a[name] ?? null, b[name] ?? null]
    if (x === null || y === null) return compared(x, y) || way * compared(a[key], b[key])
    return way * (compared(x, y) || compared(a[key], b[key]))
  })
}
