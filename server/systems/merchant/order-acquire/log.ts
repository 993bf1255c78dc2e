import { sql } from 'kysely'
import type { AcquireResult } from '../../../../core/contract/merchant/order-acquire.ts'
import { replayable, replayHours } from '../../../../core/contract/merchant/order-acquire.ts'
import type { Application } from '../../../../core/contract/order/intake.ts'
import type { Tx } from '../../../db/database.ts'
import { newNo } from '../../../money/numbers.ts'
import type { LoanKind } from './rules.ts'

type Came = {
  merchantNo: string
  /** Of the body as it was sent. */
  payloadHash: string
  thirdOrderNo: string | null
  incomingChannel: string | null
  acquireNo: string | null
  customerNo: string | null
  loanKind: LoanKind | null
  latencyMs: number
}

/** Applications differ by number and content. */
const keyOf = (tx: Tx, { thirdOrderNo, payloadHash }: Pick<Came, 'thirdOrderNo' | 'payloadHash'>, isSigned: boolean) =>
  isSigned ? `${thirdOrderNo ?? ''} ${payloadHash}` : `unsigned ${tx.now.toISOString().slice(0, 16)}`

/** Notes an application that was taken, in its transaction. */
export const noteAccepted = async (tx: Tx, came: Came & { orderNo: string }): Promise<void> => {
  const { merchantNo, payloadHash, orderNo, latencyMs } = came
  await tx.exec(sql`
    insert into acquire_log (intake_no, merchant_no, intake_key, acquire_no, incoming_channel, third_order_no, order_no, customer_no, loan_kind, intake_time, intake_result, intake_code, payload_hash, latency_ms)
    values (${newNo('IN', tx.now)}, ${merchantNo}, ${keyOf(tx, came, true)}, ${came.acquireNo}, ${came.incomingChannel}, ${came.thirdOrderNo}, ${orderNo}, ${came.customerNo}, ${came.loanKind},
      ${tx.now}, 'accepted', '0', ${payloadHash}, ${latencyMs})
    on conflict (merchant_no, intake_key) do update set intake_time = excluded.intake_time, intake_result = 'accepted', intake_code = '0', order_no = excluded.order_no,
      acquire_no = excluded.acquire_no, customer_no = excluded.customer_no, loan_kind = excluded.loan_kind, latency_ms = excluded.latency_ms, payload = null,
      try_count = acquire_log.try_count + 1`)
}

/** Notes one that was not, in a transaction of its own; what it held is kept while people may let it in. */
export const noteRefused = async (
  tx: Tx,
  came: Came & { code: AcquireResult; payload: Application | null },
): Promise<void> => {
  const { merchantNo, payloadHash, code, payload, latencyMs } = came
  const result = code === '199' ? 'error' : 'refused'
  await tx.exec(sql`
    insert into acquire_log (intake_no, merchant_no, intake_key, acquire_no, incoming_channel, third_order_no, customer_no, loan_kind, intake_time, intake_result, intake_code, payload_hash, payload, latency_ms)
    select ${newNo('IN', tx.now)}, merchant_no, ${keyOf(tx, came, code !== '101')}, ${came.acquireNo}, ${came.incomingChannel}, ${came.thirdOrderNo}, ${came.customerNo}, ${came.loanKind},
      ${tx.now}, ${result}, ${code}, ${payloadHash}, ${payload ? JSON.stringify(payload) : null}, ${latencyMs} from merchant where merchant_no = ${merchantNo}
    on conflict (merchant_no, intake_key) do update set intake_time = excluded.intake_time, intake_result = excluded.intake_result, intake_code = excluded.intake_code,
      acquire_no = excluded.acquire_no, payload = excluded.payload, latency_ms = excluded.latency_ms, try_count = acquire_log.try_count + 1
    where acquire_log.order_no is null`)
}

/** Whether an application of the log, `x`, may be let in by hand now. */
export const mayReplay = ({
  now,
}: Pick<Tx, 'now'>) => sql`(x.order_no is null and x.payload is not null and x.intake_code = any(${[...replayable]})
  and x.intake_time > ${new Date(now.getTime() - replayHours * 3_600_000)}
  and not exists (select 1 from loan_order o where o.merchant_no = x.merchant_no and o.third_order_no = x.third_order_no))`
