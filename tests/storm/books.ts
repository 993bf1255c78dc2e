import { sql } from 'kysely'
import { payoutOf } from '../../core/rules/loan/fees.ts'
import type { Tx } from '../../server/db/database.ts'
import { json } from '../../server/db/json.ts'
import { account, post } from '../../server/money/ledger.ts'
import type { Actor } from '../../server/rights/actor.ts'
import { system } from '../../server/rights/actor.ts'
import { writePerson } from '../../server/session/person.ts'
import { hashToken } from '../../server/session/session.ts'
import { create, transition } from '../../server/states/transition.ts'
import { createLoanCode } from '../../server/systems/after-loan/payout/payout.ts'
import type { Order } from '../../server/systems/order/order/order-source.ts'
import { fixtureTerms } from '../../server/testing/kit.ts'
import { begunItems } from '../../server/testing/proven.ts'

export const officerToken = 'token-of-the-officer-in-the-storm'
export const perms = ['fund:payout:page', 'fund:payout:retry', 'fund:payout:cancel', 'repay:order:page']
const no = (prefix: string, n: number) => `${prefix}${String(n).padStart(6, '0')}`
export const orderNo = (n: number) => no('LO', n)
export const payCode = (n: number) => `7${String(n).padStart(9, '0')}`
/** Who is paid: a number of its own for each order, so that the seed draws its cases by the order. */
export const wallet = (n: number) => `25677${String(1_000_000 + n)}`
export const amountOf = (n: number) => `${50_000 + (n % 45) * 10_000}.00`

/** A server that pays out of one account, and an officer. */
export const furnish = async (tx: Tx, money: string, actor: Actor): Promise<void> => {
  await tx.exec(sql`insert into company values ('C1', 'Nile Credit')`)
  await tx.exec(sql`insert into org values ('O1', 'Kampala', null, 'C1')`)
  await tx.exec(sql`insert into dept values ('D1', 'Finance', null, 'O1')`)
  await tx.exec(
    sql`insert into merchant (merchant_no, merchant_name, app_name, org_no) values ('M1', 'Boda Cash', 'BodaCash', 'O1')`,
  )
  await tx.exec(
    sql`insert into merchant_credential (api_key_id, merchant_no, secret) values ('K1', 'M1', 'secret-one')`,
  )
  await tx.exec(
    sql`insert into product (product_no, product_name, merchant_no, terms) values ('P1', 'Quick loan', 'M1', ${json(fixtureTerms)})`,
  )
  await tx.exec(
    sql`insert into channel (channel, channel_name, pause_after_unknown) values ('mtn_momo', 'MTN MoMo', 50)`,
  )
  await tx.exec(
    sql`insert into fund_account (fund_account_no, account_name, account_role, lender_name, channel, account_number) values ('FA1', 'MTN', 'both', 'Nile Credit', 'mtn_momo', '256770000001')`,
  )
  await tx.exec(sql`insert into fund_account_merchant values ('FA1', 'M1')`)
  await tx.exec(sql`insert into auto_write_off_config (config_no, overflow_limit) values ('W1', 10000)`)
  await begunItems(tx)
  const officer = { userNo: 'U1', loginId: 'officer', userName: 'officer', realName: 'Officer' }
  await writePerson(tx, { ...officer, deptNo: 'D1', principalMerchantNo: 'M1', merchantNos: ['M1'] }, system('storm'))
  await tx.exec(sql`insert into role (role_no, role_name, role_nature) values ('R1', 'officer', 'headquarters')`)
  await tx.exec(sql`insert into user_role values ('U1', 'R1')`)
  await tx.exec(
    sql`insert into menu (menu_no, menu_name, menu_type, perms) values ('N1', 'Storm', 'page', '/AdminContent/Storm')`,
  )
  await tx.exec(sql`insert into role_menu values ('R1', 'N1', 'all')`)
  for (const [index, perm] of perms.entries()) {
    const menu = `N1-${index}`
    await tx.exec(
      sql`insert into menu (menu_no, parent_menu_no, menu_name, menu_type, perms) values (${menu}, 'N1', ${perm}, 'button', ${perm})`,
    )
    await tx.exec(sql`insert into role_menu (role_no, menu_no) values ('R1', ${menu})`)
  }
  await tx.exec(
    sql`insert into session (session_no, token_hash, user_no, created_time, last_seen_time) values ('S1', ${hashToken(officerToken)}, 'U1', ${tx.now}, ${tx.now})`,
  )
  const lines = [
    { account: account.bank('FA1'), amount: money },
    { account: account.ownerFunds('Nile Credit'), amount: `-${money}` },
  ]
  await post(tx, { code: 'P0', cause: 'fund_account:FA1', keys: {}, lines }, actor)
}

/** Orders that machine review approved, which their payout waits for. */
export const orders = async (tx: Tx, from: number, count: number, actor: Actor): Promise<void> => {
  for (let n = from; n < from + count; n++) {
    const customerNo = no('CU', n)
    const [phone, loanAmount] = [wallet(n), amountOf(n)]
    await tx.exec(sql`
      insert into customer (customer_no, customer_name, id_number, phone, credit_limit, remaining_limit, register_time)
      values (${customerNo}, 'Grace Nakato', ${no('CF000000', n)}, ${phone}, 5000000, 1000000, ${tx.now})`)
    const values = {
      orderNo: orderNo(n),
      thirdOrderNo: no('T', n),
      merchantNo: 'M1',
      customerNo,
      productNo: 'P1',
      terms: json(fixtureTerms),
      requestedAmount: loanAmount,
      loanAmount,
      actualLoanAmount: payoutOf(fixtureTerms, loanAmount),
      term: fixtureTerms.termDays,
      installmentCount: fixtureTerms.installmentCount,
      loanKind: 'first',
      applyTime: tx.now,
      statusTime: tx.now,
      payoutType: 'wallet',
      payoutSubtype: 'mtn',
      walletAccount: phone,
      cardholderName: 'Grace Nakato',
      payoutVerify: 'passed',
      payCode: payCode(n),
      version: 0,
    }
    await create(tx, 'order', values, { event: 'order.create' }, actor)
    const held = { orderNo: orderNo(n), orderStatus: 'machine_reviewing', version: 0 }
    await transition(tx, 'order', held, { event: 'machine.autoApprove' }, actor)
    const stored = await tx.one(sql<Order>`select * from loan_order where order_no = ${orderNo(n)}`)
    await createLoanCode(tx, stored, actor)
  }
}

export type Waiting = { jobs: number; dueAsks: number }

/** How much of what these queues do, and how many questions, are still due now. */
export const waitingOf = (tx: Tx, queues: readonly string[]): Promise<Waiting> =>
  tx.one(sql<Waiting>`
    select (select count(*)::int from job where queue = any(${queues as string[]}) and state = 'ready' and (run_at <= ${tx.now} or worker is not null)) as jobs,
      (select count(*)::int from gateway_attempt where attempt_status in ('sent', 'unknown') and next_query_time <= ${tx.now}) as due_asks`)

export type Progress = {
  dead: number
  codes: Record<string, number>
  attempts: Record<string, number>
  failed: string[]
  disbursed: string[]
}

/** How far the payouts are, and what waits for staff and customers. */
export const progressOf = async (tx: Tx): Promise<Progress> => {
  const counts = async (table: string, status: string) => {
    const rows = await tx.rows(
      sql<{
        name: string
        count: number
      }>`select ${sql.ref(status)} as name, count(*)::int as count from ${sql.table(table)} group by 1`,
    )
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
  }
  const { dead } = await tx.one(sql<{ dead: number }>`select count(*)::int as dead from job where state = 'dead'`)
  const failed = await tx.rows(
    sql<{
      loanCode: string
    }>`select loan_code from loan_code where loan_code_status = 'failed' and attempt_no < 5 order by loan_code`,
  )
  const disbursed = await tx.rows(
    sql<{
      orderNo: string
    }>`select order_no from loan_order where order_status = 'funds_disbursed' order by order_no`,
  )
  return {
    dead,
    codes: await counts('loan_code', 'loan_code_status'),
    attempts: await counts('gateway_attempt', 'attempt_status'),
    failed: failed.map(({ loanCode }) => loanCode),
    disbursed: disbursed.map(row => row.orderNo),
  }
}

export type Books = {
  bank: string
  opening: string
  attempts: {
    externalId: string
    orderNo: string
    attemptStatus: string
    current: boolean
    loanCodeStatus: string
    amount: string
    exception: string
    differs: boolean
  }[]
  /** The principals as they were booked, one per payout. */
  payouts: { orderNo: string; loanCode: string; count: number }[]
  flows: { serialNo: string; amount: string; differs: boolean }[]
  heard: Record<string, number>
}

/** Every shilling that left or came, as the books have it. */
export const booksOf = async (tx: Tx): Promise<Books> => {
  const { bank, opening } = await tx.one(sql<{ bank: string; opening: string }>`
    select (select balance from ledger_balance where account_code = 'bank:FA1') as bank,
      (select sum(l.amount) from journal_line l join journal j using (journal_no) where j.posting_code = 'P0' and l.account_code = 'bank:FA1') as opening`)
  const attempts = await tx.rows(sql<Books['attempts'][number]>`
    select ga.external_id, lc.order_no, ga.attempt_status, ga.attempt_no = lc.attempt_no as current, lc.loan_code_status, ga.amount,
      coalesce((select balance from ledger_balance where account_code = 'payout_exception:' || ga.external_id), 0.00) as exception,
      exists (select 1 from recon_item r where r.recon_kind = 'amount_differs' and r.reference = ga.external_id) as differs
    from gateway_attempt ga join loan_code lc on lc.loan_code = ga.parent_no order by ga.external_id`)
  const payouts = await tx.rows(sql<Books['payouts'][number]>`
    select l.order_no, l.loan_code, count(*)::int as count from journal j join journal_line l using (journal_no)
    where j.posting_code = 'P1b' and l.account_code like 'principal:%' group by 1, 2`)
  const flows = await tx.rows(sql<Books['flows'][number]>`
    select f.serial_no, f.amount, exists (select 1 from recon_item r where r.recon_kind = 'amount_differs' and r.reference = f.serial_no) as differs
    from repay_flow f where f.flow_status <> 'void'`)
  const heard = await tx.rows(
    sql<{
      name: string
      count: number
    }>`select split_part(coalesce(outcome, 'waiting'), ' ', 1) as name, count(*)::int as count from inbound_event group by 1`,
  )
  return {
    bank,
    opening,
    attempts,
    payouts,
    flows,
    heard: Object.fromEntries(heard.map(({ name, count }) => [name, count])),
  }
}
