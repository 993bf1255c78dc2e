import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { type Money, neg, sub } from '../../../../core/rules/money.ts'
import { countOf, inTurn, many, nowhere, type Reply, rowsAndVersions } from '../../../../tests/races/resource.ts'
import { account, post } from '../../../money/ledger.ts'
import { system } from '../../../rights/actor.ts'
import { type Fixture, facts } from '../../../testing/facts.ts'
import { dispatch } from './payout.ts'

const { loan } = contract

const dispatched = (fixture: Fixture, loanCode: string) => async (): Promise<Reply> => {
  await fixture.db.withTx(tx => dispatch(tx, ['mtn_momo'], loanCode))
  return { code: 0 }
}

/** Leaves exactly this much in the paying account. */
const leave = async (fixture: Fixture, amount: Money) => {
  const { balance } = await fixture.one(
    sql<{ balance: Money }>`select balance from ledger_balance where account_code = 'bank:FA1'`,
  )
  const moved = sub(balance, amount)
  const lines = [
    { account: account.bank('FA1'), amount: neg(moved) },
    { account: account.ownerFunds('Nile Credit'), amount: moved },
  ]
  await fixture.db.withTx(tx => post(tx, { code: 'P0', cause: 'fund_account:FA1', keys: {}, lines }, system('fixture')))
}

let said = 0

export default facts({
  races: [
    {
      name: 'the payout of an order',
      rule: 'G4, M21: one attempt of a loan code runs',
      available: 1,
      async make(fixture, parallel) {
        const { loanCode } = await fixture.approved()
        const sends = fixture.network.sent.length
        return {
          tries: many(parallel, () => dispatched(fixture, loanCode)),
          async taken() {
            const attempts = await countOf(fixture, sql`select 1 from gateway_attempt where parent_no = ${loanCode}`)
            await fixture.worker.drain()
            return Math.max(attempts, fixture.network.sent.length - sends)
          },
        }
      },
      kept: {
        by: rowsAndVersions,
        drop: [
          'drop index if exists gateway_attempt_running',
          'alter table gateway_attempt drop constraint if exists gateway_attempt_pkey cascade',
          'drop index if exists merchant_loan_take_held',
        ],
      },
    },
    {
      name: 'the balance of the paying account',
      rule: 'G21, M20 payout.dispatch: balance at least the amount, under a lock',
      available: 2,
      async make(fixture) {
        const { balance } = await fixture.one(
          sql<{ balance: Money }>`select balance from ledger_balance where account_code = 'bank:FA1'`,
        )
        await leave(fixture, '0.00')
        const made = await inTurn([1, 2, 3, 4, 5], () => fixture.approved())
        const codes = made.map(one => one.loanCode)
        await fixture.worker.drain()
        const { amount } = await fixture.one(
          sql<{
            amount: Money
          }>`select max(actual_loan_amount)::text as amount from loan_code where loan_code = any(${codes})`,
        )
        await leave(fixture, (Number(amount) * 2).toFixed(2))
        return {
          tries: codes.map(loanCode => dispatched(fixture, loanCode)),
          taken: () => countOf(fixture, sql`select 1 from gateway_attempt where parent_no = any(${codes})`),
          after: () => leave(fixture, balance),
        }
      },
      at: /from merchant_loan_limit l[\s\S]*for update of l/,
      kept: { by: rowsAndVersions, at: /from ledger_balance where account_code = \$1/ },
    },
    {
      name: 'the serial number that two payouts are confirmed by',
      rule: 'F10, M23: a serial of the statement proves one payout',
      available: 1,
      async make(fixture, parallel) {
        const codes = [await fixture.sent(), await fixture.sent()].map(one => one.loanCode)
        await fixture.pass(31)
        const serialNo = `PROOF${++said}`
        const inputs = await inTurn(codes, async loanCode => ({
          loanCode,
          version: await fixture.versionOf('loanCode', loanCode),
          result: 'success' as const,
          serialNo,
          statementDate: fixture.clock.now().toISOString().slice(0, 10),
          evidence: await fixture.uploaded(),
        }))
        const proofs = await Promise.all(many(parallel, () => fixture.stepUp(fixture.boss)))
        return {
          tries: many(
            parallel,
            i => () =>
              fixture.call(loan.confirm, inputs[i % 2]!, { as: fixture.boss, headers: { 'x-step-up': proofs[i]! } }),
          ),
          taken: () =>
            countOf(fixture, sql`select distinct parent_no from loan_code_confirm where serial_no = ${serialNo}`),
        }
      },
      kept: { by: rowsAndVersions, at: /select parent_no as loan_code from gateway_attempt/ },
    },
    {
      name: 'the question to the network about a payout',
      rule: 'M21: a person asks about one payout once in 30 seconds',
      available: 1,
      async make(fixture, parallel) {
        const { loanCode } = await fixture.sent()
        const asked = fixture.network.asked.length
        return {
          tries: many(parallel, () => () => fixture.call(loan.query, { loanCode }, { as: fixture.boss })),
          taken: async () => fixture.network.asked.length - asked,
        }
      },
      at: /update gateway_attempt set asked_time/,
      kept: {
        by: [[/ and \(asked_time is null or asked_time <= (\$\d+)\)/, ' and $1::timestamptz is not null']],
        at: nowhere,
      },
    },
  ],
})
