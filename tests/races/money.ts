import { sql } from 'kysely'
import { contract } from '../../core/contract/contract.ts'
import { type Money, neg, sub } from '../../core/rules/money.ts'
import { system } from '../../server/actor.ts'
import { account, post } from '../../server/ledger.ts'
import { dispatch } from '../../server/modules/payout.ts'
import type { House } from '../contract/house.ts'
import { countOf, inTurn, many, type Resource, rowsAndVersions, type Told } from './resource.ts'

const { audit, bankBatch, loan, repay } = contract

const dispatched = (house: House, loanCode: string) => async (): Promise<Told> => {
  await house.db.withTx(tx => dispatch(tx, ['mtn_momo'], loanCode))
  return { code: 0 }
}

/** Leaves exactly this much in the paying account. */
const leave = async (house: House, amount: Money) => {
  const { balance } = await house.one(
    sql<{ balance: Money }>`select balance from ledger_balance where account_code = 'bank:FA1'`,
  )
  const moved = sub(balance, amount)
  const lines = [
    { account: account.bank('FA1'), amount: neg(moved) },
    { account: account.ownerFunds('Nile Credit'), amount: moved },
  ]
  await house.db.withTx(tx => post(tx, { code: 'P0', cause: 'fund_account:FA1', keys: {}, lines }, system('fixture')))
}

/** Two orders of one customer whose credit is enough for one of them. */
const twoOpened = async (house: House) => {
  const first = await house.opened()
  const second = await house.opened('M1', house.boss, first.orderNo)
  const { customerNo } = await house.one(
    sql<{ customerNo: string }>`select customer_no from loan_order where order_no = ${first.orderNo}`,
  )
  await house.exec(
    sql`update customer set remaining_limit = 300000, credit_limit = 300000 where customer_no = ${customerNo}`,
  )
  return [first, second] as const
}

let said = 0

export const moneyResources: Resource[] = [
  {
    name: 'the payout of an order',
    rule: 'G4, M21: one attempt of a loan code runs',
    available: 1,
    async make(house, parallel) {
      const { loanCode } = await house.approved()
      const sends = house.network.sent.length
      return {
        tries: many(parallel, () => dispatched(house, loanCode)),
        async taken() {
          const attempts = await countOf(house, sql`select 1 from gateway_attempt where parent_no = ${loanCode}`)
          await house.worker.drain()
          return Math.max(attempts, house.network.sent.length - sends)
        },
      }
    },
    kept: {
      by: rowsAndVersions,
      drop: [
        'drop index if exists gateway_attempt_running',
        'alter table gateway_attempt drop constraint if exists gateway_attempt_pkey cascade',
      ],
    },
  },
  {
    name: 'the payments of a file for the bank',
    rule: 'M20, M21: a code is in one live file, however many people make it',
    available: 1,
    async make(house, parallel) {
      const { loanCode } = await house.waitingForFile()
      const input = await house.bankFile()
      return {
        tries: many(parallel, () => () => house.call(bankBatch.create, input, { as: house.boss })),
        taken: () => countOf(house, sql`select 1 from gateway_attempt where parent_no = ${loanCode}`),
      }
    },
    kept: {
      by: rowsAndVersions,
      drop: [
        'drop index if exists gateway_attempt_running',
        'alter table gateway_attempt drop constraint if exists gateway_attempt_pkey cascade',
        'alter table gateway_attempt drop constraint if exists gateway_attempt_gateway_ref_key',
      ],
      at: /'pending_disbursement' and lc\.loan_code = any/,
    },
  },
  {
    name: 'the balance of the paying account',
    rule: 'G21, M20 payout.dispatch: balance at least the amount, under a lock',
    available: 2,
    async make(house) {
      const { balance } = await house.one(
        sql<{ balance: Money }>`select balance from ledger_balance where account_code = 'bank:FA1'`,
      )
      await leave(house, '0.00')
      const made = await inTurn([1, 2, 3, 4, 5], () => house.approved())
      const codes = made.map(one => one.loanCode)
      await house.worker.drain()
      const { amount } = await house.one(
        sql<{
          amount: Money
        }>`select max(actual_loan_amount)::text as amount from loan_code where loan_code = any(${codes})`,
      )
      await leave(house, (Number(amount) * 2).toFixed(2))
      return {
        tries: codes.map(loanCode => dispatched(house, loanCode)),
        taken: () => countOf(house, sql`select 1 from gateway_attempt where parent_no = any(${codes})`),
        after: () => leave(house, balance),
      }
    },
    at: /from ledger_balance where account_code = \$1 for update/,
    kept: { by: rowsAndVersions, at: /from ledger_balance where account_code = \$1/ },
  },
  {
    name: 'a receipt of money that several orders want',
    rule: 'G8, M31: applied and refunded never exceed the amount',
    available: 1,
    async make(house, parallel) {
      const flowNo = await house.receivedFlow()
      const { serialNo } = (await house.rowOf('flow', flowNo)) as unknown as { serialNo: string }
      const forms = await inTurn([1, 2, 3, 4], async () => {
        const { orderNo } = await house.disbursed()
        const form = house.typed(orderNo, '50000.00')
        const flows = [{ ...form.flows[0]!, serialNo, flowNo, writeOffAmount: '30000.00' }]
        return house.tried({ ...form, flows })
      })
      return {
        tries: many(parallel, i => () => house.call(repay.commit, forms[i % forms.length]!, { as: house.boss })),
      }
    },
    kept: {
      by: rowsAndVersions,
      drop: ['alter table repay_flow drop constraint repay_flow_check'],
      at: /from repay_flow f/,
    },
  },
  {
    name: 'the overpayment of a customer',
    rule: 'G6, M38: what is reserved and used never exceeds what was credited',
    available: 1,
    async make(house, parallel) {
      const earlier = await house.repaid('M1', '250000.00', 'settle')
      const held = await house.one(sql<{ customerNo: string; free: Money }>`
        select customer_no, (credited - refunded - reapplied - reserved)::numeric(18,2) as free from overpayment join loan_order using (customer_no) where order_no = ${earlier.orderNo}`)
      const orders = [await house.disbursed('M1', earlier.orderNo), await house.disbursed('M1', earlier.orderNo)]
      const inputs = await inTurn(orders, async ({ orderNo }) => ({
        orderNo,
        version: await house.versionOf('order', orderNo),
        amount: held.free,
      }))
      return {
        tries: many(parallel, i => () => house.call(repay.reuseOverflow, inputs[i % 2]!, { as: house.boss })),
      }
    },
    kept: {
      by: rowsAndVersions,
      drop: ['alter table overpayment drop constraint overpayment_check'],
      at: /from overpayment where customer_no/,
    },
  },
  {
    name: 'the credit of a customer',
    rule: 'M54: remaining credit is never below nothing',
    available: 1,
    async make(house, parallel) {
      const opened = await twoOpened(house)
      const decisions = await inTurn(opened, ({ orderNo, leaseToken }) => house.decision(orderNo, leaseToken))
      return { tries: many(parallel, i => () => house.call(audit.submit, decisions[i % 2]!, { as: house.boss })) }
    },
    kept: {
      by: rowsAndVersions,
      drop: [
        'alter table customer drop constraint customer_remaining_limit_check',
        'drop index if exists loan_code_open',
      ],
      at: /select remaining_limit from customer/,
    },
  },
  {
    name: 'the serial number of a receipt',
    rule: 'F10, M31: a serial of a channel is entered once',
    available: 1,
    async make(house, parallel) {
      const entry = {
        paymentCode: '7000000002',
        paymentChannel: 'mtn_momo' as const,
        serialNo: `ONCE${++said}`,
        amount: '50000.00',
        entryTime: house.clock.now().toISOString(),
        fundAccountNo: 'FA1',
      }
      return {
        tries: many(parallel, () => () => house.call(repay.flowSave, entry, { as: house.boss })),
        taken: () => countOf(house, sql`select 1 from repay_flow where serial_no = ${entry.serialNo}`),
      }
    },
    at: /insert into "?repay_flow"?/,
    kept: {
      by: [],
      drop: ['drop index if exists repay_flow_serial'],
      at: /from repay_flow f left join lateral/,
    },
  },
  {
    name: 'the serial number that two payouts are confirmed by',
    rule: 'F10, M23: a serial of the statement proves one payout',
    available: 1,
    async make(house, parallel) {
      const codes = [await house.sent(), await house.sent()].map(one => one.loanCode)
      await house.pass(31)
      const serialNo = `PROOF${++said}`
      const inputs = await inTurn(codes, async loanCode => ({
        loanCode,
        version: await house.versionOf('loanCode', loanCode),
        result: 'success' as const,
        serialNo,
        statementDate: house.clock.now().toISOString().slice(0, 10),
        evidence: await house.uploaded(),
      }))
      const proofs = await Promise.all(many(parallel, () => house.stepUp(house.boss)))
      return {
        tries: many(
          parallel,
          i => () => house.call(loan.confirm, inputs[i % 2]!, { as: house.boss, headers: { 'x-step-up': proofs[i]! } }),
        ),
        taken: () =>
          countOf(house, sql`select distinct parent_no from loan_code_confirm where serial_no = ${serialNo}`),
      }
    },
    kept: { by: rowsAndVersions, at: /select parent_no as loan_code from gateway_attempt/ },
  },
  {
    name: 'the question to the network about a payout',
    rule: 'M21: a person asks about one payout once in 30 seconds',
    available: 1,
    async make(house, parallel) {
      const { loanCode } = await house.sent()
      const asked = house.network.asked.length
      return {
        tries: many(parallel, () => () => house.call(loan.query, { loanCode }, { as: house.boss })),
        taken: async () => house.network.asked.length - asked,
      }
    },
    at: /pg_try_advisory_xact_lock/,
    kept: {
      by: [[/pg_try_advisory_xact_lock\(hashtextextended\((\$1), 0\)\)/, '$1::text is not null']],
      at: /select at from audit_log/,
    },
  },
]
