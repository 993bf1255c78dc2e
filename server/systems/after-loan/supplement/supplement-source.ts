import { sql } from 'kysely'
import { supplement } from '../../../../core/contract/after-loan/supplement.ts'
import { type Asker, blocks } from '../../../approval/blocks.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, notFound } from '../../../http/fault.ts'
import { listed } from '../../../lists/listed.ts'
import type { Session } from '../../../session/session.ts'
import { type Flow, flowScope, lockFlow } from '../flow/flow-store.ts'

const page = supplement.page.perm

/** What a supplement adds to its flow. */
export type Supplement = { supplementNo: string; flowNo: string; orderNo: string | null; makerNo: string }

const match = sql`coalesce((
  select case when l.amount = f.amount then 'matched' else 'other_amount' end from statement_line l
  where l.fund_account_no = f.fund_account_no and l.serial_no = f.serial_no and l.direction = 'in' and l.line_kind = 'payment'), 'not_found')`

type Facts = { flowStatus: Flow['flowStatus']; makerNo: string }

const read = async (tx: Tx, keys: readonly string[]): Promise<ReadonlyMap<string, Facts>> => {
  const found = await tx.rows(sql<Facts & { supplementNo: string }>`
    select s.supplement_no, f.flow_status, s.maker_no from flow_supplement s join repay_flow f using (flow_no) where s.supplement_no = any(${[...keys]})`)
  return new Map(found.map(({ supplementNo, ...facts }) => [supplementNo, facts]))
}

const own = ({ makerNo, flowStatus }: Facts, { session }: Asker) =>
  flowStatus === 'supplement_review' && session?.userNo === makerNo
    ? new Fault('forbidden', 'errors.makerChecker')
    : null

/** Why supplements are not decided. */
export const supplementBlocks = blocks<Facts>({
  read,
  states: ({ flowStatus }) => ({ flow: flowStatus }),
  commands: [
    { command: supplement.approve, refuses: own },
    { command: supplement.reject, refuses: own },
  ],
})

/** Supplemented receipts with their flows. */
export const supplements = listed({
  list: supplement.page,
  source: ({ session }) => ({
    from: sql`flow_supplement s join repay_flow f on f.flow_no = s.flow_no`,
    joins: {
      fa: sql`left join fund_account fa on fa.fund_account_no = f.fund_account_no`,
      o: sql`left join loan_order o on o.order_no = s.order_no`,
      c: sql`left join order_customer c on c.customer_no = o.customer_no and c.merchant_no = o.merchant_no`,
    },
    alias: 's',
    key: sql`s.supplement_no`,
    where: flowScope(session, page),
    columns: {
      serialNo: sql`f.serial_no`,
      paymentChannel: sql`f.channel`,
      accountName: sql`fa.account_name`,
      amount: sql`f.amount`,
      entryTime: sql`f.entry_time`,
      paymentCode: sql`f.payment_code`,
      payerName: sql`f.payer_name`,
      payerAccount: sql`f.payer_account`,
      customerName: sql`c.customer_name`,
      flowStatus: sql`f.flow_status`,
      version: sql`f.version`,
      statementMatch: match,
      fundAccountNo: sql`f.fund_account_no`,
    },
    filters: {
      makerName: (text: string) => sql`lower(s.maker_name) like ${`${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`}`,
      mine: (is: boolean) => sql`(s.maker_no = ${session.userNo}) = ${is}`,
    },
  }),
  blocked: supplementBlocks,
})

/** A supplement whose flow is locked. */
export const lockSupplement = async (
  tx: Tx,
  session: Session,
  supplementNo: string,
): Promise<{ supplement: Supplement; flow: Flow }> => {
  const found = await tx.maybe(sql<Supplement>`
    select s.supplement_no, s.flow_no, s.order_no, s.maker_no from flow_supplement s where s.supplement_no = ${supplementNo}`)
  if (!found) throw notFound()
  return { supplement: found, flow: await lockFlow(tx, found.flowNo, flowScope(session)) }
}
