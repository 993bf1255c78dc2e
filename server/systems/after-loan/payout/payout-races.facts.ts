import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { type Money, neg, sub } from '../../../../core/rules/money.ts'
import { countOf, inTurn, many, nowhere, rowsAndVersions, type Told } from '../../../../tests/races/resource.ts'
import { account, post } from '../../../money/ledger.ts'
import { system } from '../../../rights/actor.ts'
import { facts, type House } from '../../../testing/facts.ts'
import { dispatch } from './payout.ts'

const { loan } = contract

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

let said = 0

export default facts({
  races: [
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
            i => () =>
              house.call(loan.confirm, inputs[i % 2]!, { as: house.boss, headers: { 'x-step-up': proofs[i]! } }),
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
      at: /update gateway_attempt set asked_time/,
      kept: {
        by: [[/ and \(asked_time is null or asked_time <= (\$\d+)\)/, ' and $1::timestamptz is not null']],
        at: nowhere,
      },
    },
  ],
})
