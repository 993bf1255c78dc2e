import { sql } from 'kysely'
import type { repay } from '../../core/contract/after-loan/repayment.ts'
import type { InputOf } from '../../core/contract/endpoint.ts'
import { money } from '../../core/rules/money.ts'
import type { Database } from '../db/database.ts'
import { system } from '../rights/actor.ts'
import { bookReceipt, enterFlow } from '../systems/after-loan/flow/flow-store.ts'

type Form = InputOf<typeof repay.trial>
type Line = Form['flows'][number]

/** Money that reached an account of ours by the record of its channel, and that nothing was done with yet. */
export const received = (
  db: Database,
  paid: Pick<Line, 'serialNo' | 'amount' | 'entryTime'> &
    Partial<Line> & { merchantNo: string; customerNo?: string; fundAccountNo?: string },
): Promise<string> =>
  db.withTx(async tx => {
    const { serialNo, paymentChannel: channel = 'mtn_momo', paymentCode = null, merchantNo, customerNo = null } = paid
    const actor = system(`received ${serialNo}`)
    const own = await tx.maybe(sql<{ fundAccountNo: string }>`
      select a.fund_account_no from fund_account a join fund_account_merchant m using (fund_account_no)
      where m.merchant_no = ${merchantNo} and a.fund_account_no = coalesce(${paid.fundAccountNo ?? null}, a.fund_account_no) and a.channel = ${channel} and a.enabled = 'enabled' and a.account_role in ('collection', 'both') order by 1 limit 1`)
    const entered = {
      channel,
      serialNo,
      amount: money(paid.amount),
      entryTime: new Date(paid.entryTime).toISOString(),
      source: 'import',
      isrecord: true,
      paymentCode,
      fundAccountNo: own?.fundAccountNo ?? null,
      merchantNo,
      customerNo,
    }
    const flow = await enterFlow(tx, 'import.row', entered, actor)
    await bookReceipt(tx, flow, actor)
    return flow.flowNo
  })

/** The same form once the money of its typed lines has come: it names the receipts. */
export const withReceived = async (db: Database, form: Form): Promise<Form> => {
  const { orderNo } = form
  const owner = await db.read(tx =>
    tx.one(sql<{ merchantNo: string; customerNo: string }>`
      select merchant_no, customer_no from loan_order where order_no = ${orderNo}`),
  )
  const flows: Line[] = []
  for (const line of form.flows)
    flows.push(line.flowNo ? line : { ...line, flowNo: await received(db, { ...line, ...owner }) })
  return { ...form, flows }
}
