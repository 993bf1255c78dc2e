import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { countOf, inTurn, many, type Reply, rowsAndVersions } from '../../../../tests/races/resource.ts'
import { done } from '../../../testing/acts.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'
import { dispatch } from '../../after-loan/payout/payout.ts'

const { loanLimit, common } = contract

type Version = { limitNo: string; version: number }
const limitOf = (fixture: Fixture, merchantNo: string) =>
  fixture.one(sql<Version>`
    select limit_no, version from merchant_loan_limit where merchant_no = ${merchantNo} and product_no is null and loan_kind is null`)

let made = 0
/** The limit of a merchant of its own, which begins with nothing. */
const own = async (fixture: Fixture): Promise<Version> => {
  const merchantNo = `LM${++made}`
  await fixture.exec(sql`
    insert into merchant (merchant_no, merchant_name, app_name, org_no, enabled) select ${merchantNo}, ${`Limit ${made}`}, app_name, org_no, 'enabled' from merchant where merchant_no = 'M1'`)
  await fixture.exec(sql`update merchant_loan_limit set daily_limit = 0 where merchant_no = ${merchantNo}`)
  return limitOf(fixture, merchantNo)
}
const set = async (fixture: Fixture, limit: Version, dailyLimit: string) =>
  done(fixture, loanLimit.save, { ...limit, dailyLimit })
/** Asks for more, which waits. */
const raise = async (fixture: Fixture): Promise<string> =>
  String((await set(fixture, await own(fixture), '900000.00')).approvalNo)
const pendingOf = async (fixture: Fixture, limitNo: string) =>
  (
    await fixture.one(
      sql<{
        no: string
      }>`select approval_no as no from approval where object_no = ${limitNo} and approval_status = 'pending'`,
    )
  ).no
const suspended = async (fixture: Fixture): Promise<string> => {
  const { limitNo } = await own(fixture)
  await done(fixture, loanLimit.suspend, { limitNos: [limitNo], reason: 'complaints' })
  return limitNo
}
const resume = async (fixture: Fixture): Promise<string> => {
  const limitNo = await suspended(fixture)
  await done(fixture, loanLimit.resume, { limitNos: [limitNo] })
  return pendingOf(fixture, limitNo)
}

const dispatched = (fixture: Fixture, loanCode: string) => async (): Promise<Reply> => {
  await fixture.db.withTx(tx => dispatch(tx, ['mtn_momo'], loanCode))
  return { code: 0 }
}

const at = '2026-03-02T07:00:00Z'
/** The same change is allowed again and again: what it leaves is as it was. */
const lowered = async (fixture: Fixture, amounts: object) => {
  const limit = await own(fixture)
  return { no: limit.limitNo, input: { ...limit, ...amounts } }
}

export default facts({
  machines: {
    merchantLoanLimit: {
      row: {
        limitNo: 'LL1',
        merchantNo: 'M1',
        productNo: 'P1',
        loanKind: 'repeat',
        createdTime: at,
        updatedBy: 'system',
        updatedTime: at,
      },
    },
  },
  commands: [
    { call: loanLimit.save, make: fixture => lowered(fixture, { dailyLimit: '0.00' }) },
    { call: loanLimit.day, make: fixture => lowered(fixture, { dayLimit: '0.00' }) },
    {
      call: loanLimit.suspend,
      make: async fixture => {
        const { limitNo: no } = await own(fixture)
        return { no, input: { limitNos: [no], reason: 'complaints' } }
      },
    },
    {
      call: loanLimit.resume,
      make: async fixture => {
        const no = await suspended(fixture)
        return { no, input: { limitNos: [no] } }
      },
      fires: { machine: 'M74', event: 'approval.submit', why: 'a second person resumes payouts' },
      race: { drop: ['drop index if exists approval_pending'] },
    },
  ],
  approvals: [
    { action: 'loanLimit.set', ask: raise },
    { action: 'loanLimit.resume', ask: resume },
    {
      action: 'loanLimit.organization',
      ask: async fixture =>
        String((await done(fixture, loanLimit.organization, { orgNo: 'O1', dailyLimit: '90000000.00' })).approvalNo),
    },
  ],
  lists: [
    {
      list: loanLimit.page,
      key: 'limitNo',
      fill: async fixture => {
        await inTurn(
          Array.from({ length: 33 }, (_, n) => n),
          async n => {
            const { limitNo } = await own(fixture)
            await fixture.exec(
              sql`update merchant_loan_limit set daily_limit = ${100_000 * (n % 5)}, updated_time = updated_time - ${n % 5} * interval '1 hour' where limit_no = ${limitNo}`,
            )
          },
        )
      },
      // Nothing waits here.
      means: { waiting: (_, mine: boolean) => !mine },
    },
  ],
  records: [
    {
      fields: ['limitNo', 'limitNos'],
      table: 'merchant_loan_limit',
      key: 'limit_no',
      make: async (fixture, merchantNo) => (await limitOf(fixture, merchantNo)).limitNo,
      owners: sql`select limit_no as no, merchant_no, null::text[] as holders from merchant_loan_limit`,
      unheld: true,
    },
  ],
  ways: [
    way('a limit is lowered at once and raised by two, open and suspended', async fixture => {
      const first = await own(fixture)
      await fixture.agree(String((await set(fixture, first, '900000.00')).approvalNo))
      const raised = { ...first, version: first.version + 1 }
      await set(fixture, raised, '400000.00')
      await done(fixture, loanLimit.suspend, { limitNos: [first.limitNo], reason: 'complaints' })
      const now = async () =>
        fixture.one(sql<Version>`select limit_no, version from merchant_loan_limit where limit_no = ${first.limitNo}`)
      await set(fixture, await now(), '300000.00')
      await fixture.agree(String((await set(fixture, await now(), '500000.00')).approvalNo))
      await done(fixture, loanLimit.day, { ...(await now()), dayLimit: '100000.00' })
      await done(fixture, loanLimit.resume, { limitNos: [first.limitNo] })
      await fixture.agree(await pendingOf(fixture, first.limitNo))
    }),
    way('a raise is sent back', async fixture => {
      const approvalNo = await raise(fixture)
      await done(fixture, common.reject, { approvalNo, version: 0, reason: 'not today' }, fixture.second)
    }),
  ],
  races: [
    {
      name: 'the lending limit of a merchant',
      rule: 'M20 payout.dispatch: used and the amount at most the limit, under a lock (V29)',
      available: 2,
      async make(fixture, parallel) {
        const { limitNo } = await limitOf(fixture, 'M1')
        // Nothing goes out before all try.
        await fixture.exec(sql`update merchant_loan_limit set daily_limit = 0 where limit_no = ${limitNo}`)
        const made = await inTurn(
          many(parallel, n => n),
          () => fixture.approved(),
        )
        const codes = made.map(one => one.loanCode)
        await fixture.worker.drain()
        await fixture.exec(sql`
          update merchant_loan_limit set daily_limit = coalesce((select used_amount from merchant_loan_usage u where u.limit_no = ${limitNo} order by business_date desc limit 1), 0)
            + 2 * (select max(actual_loan_amount) from loan_code where loan_code = any(${codes})) where limit_no = ${limitNo}`)
        return {
          tries: codes.map(loanCode => dispatched(fixture, loanCode)),
          taken: () => countOf(fixture, sql`select 1 from gateway_attempt where parent_no = any(${codes})`),
          after: async () =>
            void (await fixture.exec(
              sql`update merchant_loan_limit set daily_limit = null where limit_no = ${limitNo}`,
            )),
        }
      },
      kept: { by: rowsAndVersions, at: /where l\.limit_no = any/ },
    },
  ],
  calls: [
    { call: loanLimit.add, about: 'a new limit; its merchant is asked for within reach in the test of the noun' },
    { call: loanLimit.organization, about: 'an organization is asked for within reach in the test of the noun' },
  ],
})
