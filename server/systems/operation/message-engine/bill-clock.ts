import { sql } from 'kysely'
import type { MessageEvent } from '../../../../core/contract/operation/message-event.ts'
import { addDays, diffDays, type EatDate } from '../../../../core/rules/time.ts'
import type { Chunked } from '../../../module.ts'
import { happened } from './happened.ts'

/** Days before and after its due date on which a bill is spoken of. */
const spoken: Readonly<Record<number, MessageEvent>> = {
  [-2]: 'bill.dueIn2',
  0: 'bill.dueToday',
  1: 'bill.overdue',
  3: 'bill.overdue',
  7: 'bill.overdue',
}
const chunkSize = 200

type Due = { billNo: string; orderNo: string; dueDate: EatDate; customerNo: string; merchantNo: string }

/** Bills that fall due and that are late, each once a day: the nodes say whether and when customers hear of them. */
export const billClock: Chunked = {
  job: 'message.bills',
  dailyAt: '07:00',
  async chunk(tx, { date, cursor }) {
    const dates = Object.keys(spoken).map(days => addDays(date, -Number(days)))
    const bills = await tx.rows(sql<Due>`
      select b.bill_no, b.order_no, b.due_date, o.customer_no, o.merchant_no from repay_plan b join loan_order o using (order_no)
      where b.bill_status in ('pending', 'partial') and b.due_date = any(${dates}::date[]) and o.order_status = 'funds_disbursed' and b.bill_no > ${cursor ?? ''}
      order by b.bill_no limit ${chunkSize}`)
    for (const { billNo, dueDate, ...of } of bills) {
      const event = spoken[diffDays(dueDate, date)]
      if (event) await happened(tx, { ...of, event, billNo, objectType: 'bill', objectNo: billNo, occurrence: date })
    }
    return { cursor: bills.length < chunkSize ? null : (bills.at(-1)?.billNo ?? null), counts: { bills: bills.length } }
  },
}
