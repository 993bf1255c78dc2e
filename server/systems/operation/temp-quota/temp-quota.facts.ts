import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { base, type Endpoint } from '../../../../core/contract/endpoint.ts'
import { eatDate } from '../../../../core/rules/time.ts'
import { inTurn, many, type Reply, rowsAndVersions } from '../../../../tests/races/resource.ts'
import { Fault } from '../../../http/fault.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, type MerchantNo, way } from '../../../testing/facts.ts'
import { signedBy } from '../../../testing/partner.ts'
import { takeCredit } from '../../order/order/index.ts'
import { customerOf } from '../coupon/coupon.facts.ts'

const { tempQuota, tempQuotaApp, businessConfig } = contract
let made = 0

const day = 86_400_000
const inDays = (fixture: Fixture, days: number) => new Date(fixture.clock.now().getTime() + days * day)

/** What is asked for a customer of a merchant. */
export const asking = async (fixture: Fixture, change: object = {}, merchantNo: MerchantNo = 'M1') => ({
  merchantNo,
  quotaAmount: '50000.00',
  customers: await customerOf(fixture, merchantNo),
  startDate: eatDate(fixture.clock.now().toISOString()),
  validityDays: 30,
  reason: 'pays early',
  ...change,
})

export const asked = async (fixture: Fixture, change: object = {}, merchantNo: MerchantNo = 'M1'): Promise<string> =>
  String((await done(fixture, tempQuota.create, await asking(fixture, change, merchantNo))).quotaTaskNo)

/** The limit that a customer got by a task. */
export const granted = async (fixture: Fixture, change: object = {}, merchantNo: MerchantNo = 'M1') => {
  const quotaTaskNo = await asked(fixture, change, merchantNo)
  await done(fixture, tempQuota.audit, { quotaTaskNo, version: 0, decision: 'approve' }, fixture.second)
  await fixture.worker.drain()
  return fixture.one(sql<{ grantNo: string; customerNo: string; version: number }>`
    select grant_no, customer_no, version from temp_quota_grant where quota_task_no = ${quotaTaskNo}`)
}

/** The back end of the app says that the customer agreed. */
export const agrees = async (
  fixture: Fixture,
  { grantNo, customerNo }: { grantNo: string; customerNo: string },
): Promise<Reply> => {
  const { secret } = await fixture.one(
    sql<{ secret: string }>`select secret from merchant_credential where merchant_no = 'M1'`,
  )
  const body = JSON.stringify({ customerNo, grantNo })
  const headers = { 'content-type': 'application/json', ...signedBy(body, { merchantNo: 'M1', secret }) }
  const answer = await fixture.app.request(`${base}${tempQuotaApp.agree.path}`, { method: 'POST', headers, body })
  return (await answer.json()) as Reply
}

const revoking = async (fixture: Fixture, given?: { grantNo: string }): Promise<string> => {
  const { grantNo } = given ?? (await granted(fixture))
  await done(fixture, tempQuota.revoke, { grantNos: [grantNo], reason: 'complaint' })
  const { no } = await fixture.one(
    sql<{
      no: string
    }>`select approval_no as no from approval where object_no = ${grantNo} and approval_status = 'pending'`,
  )
  return no
}

const changed = async (fixture: Fixture, configKey: 'TEMP_QUOTA_MAX' | 'LIMIT_RAISE_CONSENT') => {
  const { version, value } = await done(fixture, businessConfig.get, { configKey })
  const next =
    configKey === 'TEMP_QUOTA_MAX'
      ? { ...(value as object), V9: `${900_000 + ++made}.00` }
      : { raiseConsent: !(value as { raiseConsent: boolean }).raiseConsent }
  return String((await done(fixture, businessConfig.update, { configKey, version, value: next } as never)).approvalNo)
}

const task = {
  ...{ quotaTaskNo: 'TQ1', merchantNo: 'M1', quotaAmount: 50_000, customerCount: 1, startDate: '2026-03-02' },
  ...{ validityDays: 30, reason: 'test', applicantNo: 'U1', applicantName: 'Person U1' },
  createdTime: '2026-03-02T07:00:00Z',
}

export default facts({
  machines: {
    tempQuotaTask: { row: task },
    tempQuotaGrant: {
      undriven: {
        'the order that holds it is paid out, or its payout comes back: in the test of the noun': [
          'effective grant.use used',
          'used grant.restore effective',
          'used grant.restore expired',
        ],
      },
      row: {
        ...{ grantNo: 'TG1', quotaTaskNo: 'TQ1', customerNo: 'CU1', merchantNo: 'M1', quotaAmount: 50_000 },
        ...{ startTime: '2026-03-01T21:00:00Z', endTime: '2026-03-31T21:00:00Z', createdTime: task.createdTime },
      },
    },
  },
  commands: [
    {
      call: tempQuota.audit,
      make: async fixture => {
        const no = await asked(fixture)
        return { no, input: { quotaTaskNo: no, version: 0, decision: 'approve' }, as: fixture.second }
      },
    },
    {
      call: tempQuota.remove,
      make: async fixture => {
        const no = await asked(fixture)
        return { no, input: { quotaTaskNo: no, version: 0 } }
      },
    },
    {
      call: tempQuota.consent,
      make: async fixture => {
        const { grantNo, version } = await granted(fixture)
        return { no: grantNo, input: { grantNo, version, recordingNo: 'REC1' } }
      },
    },
    {
      call: tempQuota.revoke,
      make: async fixture => {
        const { grantNo } = await granted(fixture)
        return { no: grantNo, input: { grantNos: [grantNo], reason: 'complaint' } }
      },
      fires: { machine: 'M74', event: 'approval.submit', why: 'a second person must agree first' },
    },
  ],
  beginnings: [{ call: tempQuota.create, input: fixture => asking(fixture) }],
  ways: [
    way('a task is rejected, another is removed', async fixture => {
      const [one, other] = [await asked(fixture), await asked(fixture)]
      const input = { quotaTaskNo: one, version: 0, decision: 'reject', auditReason: 'too many already' }
      await done(fixture, tempQuota.audit, input, fixture.second)
      await done(fixture, tempQuota.remove, { quotaTaskNo: other, version: 0 })
    }),
    way('limits wait, begin with and without consent, are agreed to in the app, taken back and end', async fixture => {
      const startDate = eatDate(inDays(fixture, 2).toISOString())
      const [early, late, ends] = [
        await granted(fixture, { startDate }),
        await granted(fixture, { startDate }),
        await granted(fixture, { startDate }),
      ]
      await agrees(fixture, early)
      await done(fixture, tempQuota.consent, { grantNo: late.grantNo, version: late.version, recordingNo: 'REC2' })
      await fixture.agree(await revoking(fixture))
      const now = await granted(fixture)
      await agrees(fixture, now)
      await fixture.agree(await revoking(fixture, now))
      await fixture.agree(await revoking(fixture, await granted(fixture, { startDate })))
      await fixture.exec(
        sql`update temp_quota_grant set start_time = ${inDays(fixture, -1)} where grant_no = ${early.grantNo}`,
      )
      await fixture.tick('tempQuota.start')
      await fixture.exec(
        sql`update temp_quota_grant set start_time = ${inDays(fixture, -40)}, end_time = ${inDays(fixture, -2)} where grant_no = ${ends.grantNo}`,
      )
      await fixture.tick('tempQuota.expire')
    }),
  ],
  races: [
    {
      name: 'the temporary limit of a customer',
      rule: 'M53: one order holds it, and takes no more than it is, in one statement',
      available: 1,
      async make(fixture, parallel) {
        const grant = await granted(fixture)
        await agrees(fixture, grant)
        const { customerNo, grantNo } = grant
        await fixture.exec(sql`
          update customer set credit_limit = 500000, remaining_limit = 0, credit_type = 'revolving' where customer_no = ${customerNo}`)
        const orders = await inTurn(
          many(parallel, n => n),
          () => fixture.queueUp(),
        )
        const take = (orderNo: string) => async (): Promise<Reply> => {
          const order = { orderNo, customerNo, merchantNo: 'M1', loanAmount: '50000.00' } as const
          try {
            await fixture.db.withTx(tx => takeCredit(tx, order))
            return { code: 0 }
          } catch (error) {
            if (error instanceof Fault) return { code: error.code }
            throw error
          }
        }
        return {
          tries: orders.map(take),
          after: async () => {
            await fixture.exec(sql`
              update temp_quota_grant set bound_order_no = null, used_amount = 0, version = version + 1 where grant_no = ${grantNo}`)
          },
        }
      },
      kept: {
        by: [...rowsAndVersions, [/and bound_order_no is null/, '']],
        at: /remaining_limit as before from customer/,
      },
    },
  ],
  approvals: [
    { action: 'tempQuota.revoke', ask: fixture => revoking(fixture) },
    { action: 'businessConfig.TEMP_QUOTA_MAX', ask: fixture => changed(fixture, 'TEMP_QUOTA_MAX') },
    { action: 'businessConfig.LIMIT_RAISE_CONSENT', ask: fixture => changed(fixture, 'LIMIT_RAISE_CONSENT') },
  ],
  lists: [
    {
      list: tempQuota.tasks,
      key: 'quotaTaskNo',
      fill: async fixture => {
        const no = await asked(fixture)
        const changes = `jsonb_build_object(${prefixed('quota_task_no')}, ${at('created_time')}, 'quota_amount', 1000 * (1 + n % 4), 'customer_count', 1 + n % 3)`
        await copied(fixture, 'temp_quota_task', `quota_task_no = '${no}'`, changes)
      },
      means: {
        applicantName: (row, text: string) => String(row.applicantName).toLowerCase().startsWith(text.toLowerCase()),
        mine: (row, is: boolean) => (row.applicantNo === 'U1') === is,
      },
      holds: { key: 'quotaTaskNo', query: sql`select quota_task_no, applicant_no, merchant_no from temp_quota_task` },
    },
    {
      list: tempQuota.records,
      key: 'grantNo',
      of: 'company',
      fill: async fixture => {
        const { grantNo } = await granted(fixture)
        const changes = `jsonb_build_object(${prefixed('grant_no')}, ${at('start_time')}, 'end_time', x.end_time + n % 5 * interval '1 day', 'quota_amount', 1000 * (1 + n % 3), 'grant_status', (array['expired', 'revoked'])[1 + n % 2])`
        await copied(fixture, 'temp_quota_grant', `grant_no = '${grantNo}'`, changes)
      },
      means: { consent: (row, is: string) => (row.agreedTime !== null) === (is === 'given') },
    },
    {
      list: tempQuota.rows,
      key: 'quotaRowNo',
      of: 'company',
      fill: async fixture => {
        const no = await asked(fixture)
        await copied(
          fixture,
          'temp_quota_row',
          `quota_task_no = '${no}' and row_no = 1`,
          `jsonb_build_object('row_no', 1 + n, 'fail_reason', (array['overdue', 'running'])[1 + n % 2])`,
        )
      },
    },
  ],
  records: [
    {
      fields: ['quotaTaskNo'],
      table: 'temp_quota_task',
      key: 'quota_task_no',
      make: (fixture, merchantNo) => asked(fixture, {}, merchantNo),
      owners: sql`select quota_task_no as no, merchant_no, array[applicant_no] as holders from temp_quota_task`,
    },
    {
      fields: ['grantNo', 'grantNos'],
      table: 'temp_quota_grant',
      key: 'grant_no',
      make: async (fixture, merchantNo) => (await granted(fixture, {}, merchantNo)).grantNo,
      owners: sql`select grant_no as no, merchant_no, '{}'::text[] as holders from temp_quota_grant`,
      unheld: true,
    },
  ],
  calls: [
    ...[tempQuota.effect, tempQuota.create].map(call => ({
      call: call as Endpoint,
      about: 'asks for customers of a merchant within reach, in the test of the noun',
    })),
  ],
})
