import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { done } from '../../../testing/acts.ts'
import type { Fixture, MerchantNo } from '../../../testing/facts.ts'

const { audit } = contract

/** An order that an auditor has refused: the second one, who asks for nothing. */
export const refusedOrder = async (fixture: Fixture, merchantNo?: MerchantNo): Promise<string> => {
  await fixture.exec(sql`
    insert into refuse_code (refuse_code, level, name_zh, name_en, name_sw) values ('B7', 2, '负债过高', 'Too much debt', 'Madeni mengi') on conflict do nothing`)
  const auditor = merchantNo === 'M3' ? fixture.boss : fixture.second
  const { orderNo, leaseToken } = await fixture.opened(merchantNo, auditor)
  const { approvalAmount: _, approvalTime: __, ...rest } = await fixture.decision(orderNo, leaseToken)
  await done(fixture, audit.submit, { ...rest, auditResult: 'refuse', refuseCode: 'B7' }, auditor)
  return orderNo
}

/** An order that the machine refused: its history says so instead of the queue. */
export const machineRefused = async (fixture: Fixture): Promise<string> => {
  const orderNo = await fixture.queueUp()
  await fixture.db.withTx(async tx => {
    await tx.exec(sql`set local session_replication_role = replica`)
    await tx.exec(sql`
      update loan_order set order_status = 'machine_refused', refused_by = 'system' where order_no = ${orderNo}`)
    await tx.exec(sql`
      update state_transition set event = 'machine.refuse', to_state = 'machine_refused'
      where machine = 'M10' and object_no = ${orderNo} and event = 'machine.pass'`)
    await tx.exec(sql`set local session_replication_role = origin`)
  })
  return orderNo
}

/** Refused orders in numbers that no desk makes in a test: other orders, put into the state without its history. */
export const manyRefused = async (fixture: Fixture, orderNo: string): Promise<void> => {
  await fixture.exec(sql`
    insert into loan_order select (jsonb_populate_record(x, jsonb_build_object('order_no', x.order_no || '-' || n % 7 || '-' || n, 'third_order_no', x.third_order_no || '-' || n,
      'status_time', x.status_time - n % 5 * interval '1 hour', 'pay_code', null, 'refused_by', case when n % 3 > 0 then x.refused_by else 'system' end))).*
    from loan_order x, generate_series(1, 33) n where x.order_no = ${orderNo}`)
}
