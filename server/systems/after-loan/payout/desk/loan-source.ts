import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import { type Attempt as AttemptRow, type Journal, LoanCodeRow } from '../../../../../core/contract/after-loan/loan.ts'
import type { Tx } from '../../../../db/database.ts'
import type { DB } from '../../../../db/types.gen.ts'
import { notFound } from '../../../../http/fault.ts'
import type { Session } from '../../../../session/session.ts'
import type { DueRule } from '../../../merchant/maturity/index.ts'
import { lockOrder, minutesSince, type Order, orderJoins, orderScope } from '../../../order/order/index.ts'

type Frag = RawBuilder<unknown>

export type LoanCode = Selectable<DB['loanCode']>
export type Attempt = Selectable<DB['gatewayAttempt']>
export type ConfirmRecord = Selectable<DB['loanCodeConfirm']>
/** An order with one of its loan codes, both locked. */
export type HeldCode = { order: Order; code: LoanCode }
export type HeldAttempt = HeldCode & { attempt: Attempt }

/** What moves the due dates of what a send pays out, as it was when its money was reserved: the customer reads it, and the bills follow it. */
export const dueRuleOf = ({ dueRule }: Attempt): DueRule => (dueRule as DueRule | null) ?? { shift: 'none', closed: [] }

export const loanPage = 'fund:payout:page'

/** The data rule on the order `o` of a loan code. */
export const loanScope = (session: Session): Frag => orderScope(session, loanPage)

/** What loan code lists read from besides `lc` loan_code: `o` its order, `c` customer, `m` merchant, `p` product, `fa` the paying account. */
export const loanJoins = {
  o: sql`join loan_order o on o.order_no = lc.order_no`,
  c: orderJoins.c,
  m: orderJoins.m,
  p: orderJoins.p,
  fa: sql`left join fund_account fa on fa.fund_account_no = lc.fund_account_no`,
}
export const loanFrom = sql`loan_code lc ${loanJoins.o}`

/** When the newest send of a code left. */
const sentTime = sql`(
  select max(ga.sent_time) from gateway_attempt ga where ga.parent_kind = 'loanCode' and ga.parent_no = lc.loan_code and ga.attempt_no = lc.attempt_no)`

/** Something of the newest confirmation of a code: the open one, else the last that was decided. */
const ofConfirm = (value: Frag): Frag => sql`(
  select ${value} from loan_code_confirm cf where cf.parent_kind = 'loanCode' and cf.parent_no = lc.loan_code
  order by cf.confirm_status in ('unconfirmed', 'first_confirmed') desc, cf.second_time desc nulls last limit 1)`

/** For how long nobody has known whether the money arrived; null when it is known. */
export const unknownMinutes = (tx: Tx): Frag => sql`
  case when lc.loan_code_status in ('remitting', 'unknown') then ${minutesSince(tx, sql`coalesce(lc.unknown_since, ${sentTime})`)} end`

/** The request about a code that a second person has yet to decide. */
const pendingApproval = sql`(
    select a.approval_no from approval a
    where a.object_type = 'loanCode' and a.object_no = lc.loan_code and a.approval_status = 'pending' limit 1)`

/** Whether something about a code waits for a second person. */
export const waitsForApproval = (waits: boolean): Frag =>
  waits ? sql`${pendingApproval} is not null` : sql`${pendingApproval} is null`

/** Whether the customer's account on the order was corrected after this code was made. */
const corrected = sql`lc.loan_code_status = 'failed' and (
  o.payout_type, o.payout_subtype, o.wallet_account, o.bank_card_no, o.cardholder_name
) is distinct from (lc.payout_type, lc.payout_subtype, lc.wallet_account, lc.bank_card_no, lc.cardholder_name)`

export const loanColumns = (tx: Tx): Record<string, Frag> => ({
  thirdOrderNo: sql`o.third_order_no`,
  customerName: sql`c.customer_name`,
  phone: sql`c.phone`,
  merchantName: sql`m.merchant_name`,
  merchantNo: sql`o.merchant_no`,
  productName: sql`p.product_name`,
  productNo: sql`o.product_no`,
  loanKind: sql`o.loan_kind`,
  loanAmount: sql`o.loan_amount`,
  auditTime: sql`o.audit_time`,
  orderStatus: sql`o.order_status`,
  fundAccountName: sql`fa.account_name`,
  verifyResult: sql`case when ${corrected} then o.payout_verify else lc.verify_result end`,
  unknownMinutes: unknownMinutes(tx),
  confirmStatus: ofConfirm(sql`cf.confirm_status`),
  confirmerName: ofConfirm(sql`coalesce(cf.second_name, cf.first_name)`),
  confirmTime: ofConfirm(sql`coalesce(cf.second_time, cf.first_time)`),
  pendingApproval,
})

const snake = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** Loan codes as their list shows them, newest first. */
export const loanCodeRows = (tx: Tx, where: Frag): Promise<LoanCodeRow[]> => {
  const known = loanColumns(tx)
  const columns = Object.keys(LoanCodeRow.shape).map(
    name => sql`${known[name] ?? sql.ref(`lc.${snake(name)}`)} as ${sql.ref(snake(name))}`,
  )
  return tx.rows(sql<LoanCodeRow>`
    select ${sql.join(columns)} from loan_code lc ${sql.join(Object.values(loanJoins), sql` `)} where ${where} order by lc.loan_code_seq desc`)
}

/** All codes of an order, newest first. */
export const loanCodesOfOrder = (tx: Tx, orderNo: string): Promise<LoanCodeRow[]> =>
  loanCodeRows(tx, sql`lc.order_no = ${orderNo}`)

/** Sends `ga` as people see them, the newest first. */
export const attemptRows = (tx: Tx, where: Frag): Promise<z.output<typeof AttemptRow>[]> =>
  tx.rows(sql<z.output<typeof AttemptRow>>`
    select ga.external_id, ga.gateway_ref, ga.attempt_no, ga.attempt_status, ga.channel, ga.amount, ga.sent_time,
      ga.answer_time, ga.answer_code, ga.answer_message, ga.serial_no, ga.query_count, ga.next_query_time, ga.created_time
    from gateway_attempt ga left join loan_code lc on ga.parent_kind = 'loanCode' and ga.parent_no = lc.loan_code
    where ${where} order by lc.loan_code_seq desc, ga.attempt_no desc`)

/** All sends of an order, newest first. */
export const attemptsOfOrder = (tx: Tx, orderNo: string) => attemptRows(tx, sql`lc.order_no = ${orderNo}`)
export const attemptsOfCode = (tx: Tx, loanCode: string) => attemptRows(tx, sql`lc.loan_code = ${loanCode}`)

/** Journals with their lines, in the order of their posting; `j` is the journal. */
export const journalRows = (tx: Tx, where: Frag): Promise<z.output<typeof Journal>[]> =>
  tx.rows(sql<z.output<typeof Journal>>`
    select j.journal_no, j.posting_code, j.business_date, j.value_date, j.posted_time, j.cause, j.actor, j.reverses_journal_no,
      (select jsonb_agg(jsonb_build_object('accountCode', l.account_code, 'component', l.component,
        'debit', greatest(l.amount, 0)::numeric(18,2)::text, 'credit', greatest(-l.amount, 0)::numeric(18,2)::text) order by l.line_no)
      from journal_line l where l.journal_no = j.journal_no) as lines
    from journal j where ${where} order by j.posted_time, j.journal_no`)

export const journalsOfCode = (tx: Tx, { orderNo, loanCode }: { orderNo: string; loanCode: string }) =>
  journalRows(
    tx,
    sql`j.order_no = ${orderNo} and exists (
      select 1 from journal_line l where l.journal_no = j.journal_no and l.loan_code = ${loanCode})`,
  )

/** Everything that happened to a code, its sends and its confirmations. */
export const historyOfCode = (tx: Tx, loanCode: string) =>
  tx.rows(sql<{ at: string; event: string; from: string; to: string; actorName: string }>`
    select t.at, t.event, t.from_state as "from", t.to_state as "to", coalesce(u.real_name, t.actor) as actor_name
    from state_transition t left join app_user u on u.user_no = t.actor
    where (t.machine = 'M20' and t.object_no = ${loanCode})
      or (t.machine = 'M21' and t.object_no in (
        select external_id from gateway_attempt where parent_kind = 'loanCode' and parent_no = ${loanCode}))
      or (t.machine = 'M23' and t.object_no in (
        select confirm_no from loan_code_confirm where parent_kind = 'loanCode' and parent_no = ${loanCode}))
    order by t.transition_no`)

const lockBoth = async (tx: Tx, session: Session | null, orderNo: string, loanCode: string): Promise<HeldCode> => {
  const order = await lockOrder(tx, session, orderNo, loanPage)
  const code = await tx.one(sql<LoanCode>`select * from loan_code where loan_code = ${loanCode} for update`)
  return { order, code }
}

/** The code with its order, locked in the fixed order; jobs have no session. */
export const lockCode = async (tx: Tx, session: Session | null, loanCode: string): Promise<HeldCode> => {
  const found = await tx.maybe(sql<{ orderNo: string }>`select order_no from loan_code where loan_code = ${loanCode}`)
  if (!found) throw notFound()
  return lockBoth(tx, session, found.orderNo, loanCode)
}

/** The newest code of a locked order, if it ever had one. */
export const lockNewestCode = (tx: Tx, orderNo: string): Promise<LoanCode | undefined> =>
  tx.maybe(
    sql<LoanCode>`select * from loan_code where order_no = ${orderNo} order by loan_code_seq desc limit 1 for update`,
  )

/** A send of a loan code, locked after its code. */
export const lockAttempt = async (tx: Tx, externalId: string): Promise<HeldAttempt> => {
  const { loanCode, orderNo } = await tx.one(sql<{ loanCode: string; orderNo: string }>`
    select lc.loan_code, lc.order_no from gateway_attempt ga join loan_code lc on lc.loan_code = ga.parent_no
    where ga.external_id = ${externalId} and ga.parent_kind = 'loanCode'`)
  const held = await lockBoth(tx, null, orderNo, loanCode)
  const attempt = await tx.one(sql<Attempt>`select * from gateway_attempt where external_id = ${externalId} for update`)
  return { ...held, attempt }
}

/** The confirmation that two people are at, if any. */
export const lockConfirm = (tx: Tx, loanCode: string): Promise<ConfirmRecord | undefined> =>
  tx.maybe(sql<ConfirmRecord>`
    select * from loan_code_confirm where parent_kind = 'loanCode' and parent_no = ${loanCode}
      and confirm_status in ('unconfirmed', 'first_confirmed') for update`)
