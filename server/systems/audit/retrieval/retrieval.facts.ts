import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { done, paysIn } from '../../../testing/acts.ts'
import { type Fixture, facts, type MerchantNo, way } from '../../../testing/facts.ts'
import { holdersOf, numbersIn } from '../../../testing/order-lists.ts'
import { paid } from '../../after-loan/payout/payout-fixture.ts'
import { machineRefused, refusedOrder } from '../re-review/refused-fixture.ts'

const { audit, retrieval } = contract

type Entered = { retrievalBatchNo: string; version: number }
const entered = async (fixture: Fixture, orderNos: readonly string[]): Promise<Entered> =>
  (await done(fixture, retrieval.preview, { numbers: orderNos.join(', ') })) as Entered

const confirmed = async (fixture: Fixture, orderNos: readonly string[]): Promise<string> => {
  const { retrievalBatchNo, version } = await entered(fixture, orderNos)
  await done(fixture, retrieval.confirm, { retrievalBatchNo, version })
  await fixture.worker.drain()
  return retrievalBatchNo
}

/** A refused order that is in the queue again, and its retrieval. */
const retrieved = async (fixture: Fixture, merchantNo?: MerchantNo) => {
  const orderNo = await refusedOrder(fixture, merchantNo)
  await confirmed(fixture, [orderNo])
  const { no } = await fixture.one(
    sql<{
      no: string
    }>`select retrieval_no as no from order_retrieval where order_no = ${orderNo} and retrieval_status = 'retrieved'`,
  )
  return { orderNo, no }
}

/** The first person takes a retrieved order and decides on it. */
const taken = async (fixture: Fixture, orderNo: string) => {
  await done(fixture, audit.allot, { orderNos: [orderNo], auditorNos: [fixture.boss.userNo] })
  return (await done(fixture, audit.open, { orderNo })) as { leaseToken: string }
}
const approved = async (fixture: Fixture, orderNo: string) => {
  const { leaseToken } = await taken(fixture, orderNo)
  await done(fixture, audit.submit, await fixture.decision(orderNo, leaseToken))
}
const disbursed = async (fixture: Fixture) => {
  const made = await retrieved(fixture)
  await approved(fixture, made.orderNo)
  const { payee } = await fixture.one(
    sql<{ payee: string }>`select wallet_account as payee from loan_code where order_no = ${made.orderNo}`,
  )
  fixture.network.sends.push(paid({ serialNo: `MPR${made.orderNo}`, payee }) as never)
  await fixture.worker.drain()
  return made
}
const reverts = (fixture: Fixture, no: string) => done(fixture, retrieval.revert, { retrievalNos: [no] })
const approvalOf = async (fixture: Fixture, no: string) =>
  (
    await fixture.one(
      sql<{
        no: string
      }>`select approval_no as no from approval where object_no = ${no} order by submit_time desc limit 1`,
    )
  ).no

const aboutBatches = 'batches belong to the people who entered them'

export default facts({
  machines: {
    retrievalBatch: {
      row: { retrievalBatchNo: 'RB1', source: 'entered', createdBy: 'U1', createdTime: '2026-03-02T07:00:00Z' },
    },
    retrievalItem: {
      row: {
        retrievalNo: 'RT1',
        retrievalBatchNo: 'RB0',
        enteredNo: 'LO1',
        statusBefore: 'approval_rejected',
        createdBy: 'U1',
        createdTime: '2026-03-02T07:00:00Z',
      },
    },
  },
  around: async tx => {
    await tx.exec(sql`
      insert into retrieval_batch (retrieval_batch_no, batch_status, source, created_by, created_time) values ('RB0', 'done', 'entered', 'U1', '2026-03-02T07:00:00Z')`)
  },
  commands: [
    {
      call: retrieval.confirm,
      make: async fixture => {
        const input = await entered(fixture, [await refusedOrder(fixture)])
        return {
          no: input.retrievalBatchNo,
          input: { retrievalBatchNo: input.retrievalBatchNo, version: input.version },
        }
      },
    },
    {
      call: retrieval.discard,
      make: async fixture => {
        const input = await entered(fixture, [await refusedOrder(fixture)])
        return {
          no: input.retrievalBatchNo,
          input: { retrievalBatchNo: input.retrievalBatchNo, version: input.version },
        }
      },
    },
    {
      call: retrieval.revert,
      make: async fixture => {
        const { no } = await retrieved(fixture)
        return { no, input: { retrievalNos: [no] } }
      },
    },
  ],
  beginnings: [
    {
      call: retrieval.preview,
      input: async fixture => ({ numbers: await refusedOrder(fixture) }),
    },
    {
      call: retrieval.items.importing?.command as Endpoint,
      input: async fixture => {
        const bytes = Buffer.from(`orderNo\n${await refusedOrder(fixture)}\n`)
        return { uploadNo: await fixture.uploaded(fixture.boss, { purpose: 'import', fileName: 'orders.csv', bytes }) }
      },
    },
  ],
  ways: [
    way('numbers that cannot be retrieved are noted, those that can are', async fixture => {
      await confirmed(fixture, [await refusedOrder(fixture), 'LO-NOBODY'])
    }),
    way('an order that the machine refused is retrieved and put back', async fixture => {
      const orderNo = await machineRefused(fixture)
      await confirmed(fixture, [orderNo])
      const { no } = await fixture.one(
        sql<{ no: string }>`select retrieval_no as no from order_retrieval where order_no = ${orderNo}`,
      )
      await reverts(fixture, no)
    }),
    way('a retrieved order is put back while somebody has it, and once it was refused again', async fixture => {
      const one = await retrieved(fixture)
      await done(fixture, audit.allot, { orderNos: [one.orderNo], auditorNos: [fixture.boss.userNo] })
      await reverts(fixture, one.no)
      const other = await retrieved(fixture)
      const { leaseToken } = await taken(fixture, other.orderNo)
      const { approvalAmount: _, approvalTime: __, ...decision } = await fixture.decision(other.orderNo, leaseToken)
      await done(fixture, audit.submit, { ...decision, auditResult: 'refuse', refuseCode: 'B7' })
      await reverts(fixture, other.no)
    }),
    way('a retrieved order is put back after it was passed', async fixture => {
      const { orderNo, no } = await retrieved(fixture)
      await approved(fixture, orderNo)
      await reverts(fixture, no)
    }),
    way('a retrieved order that was paid out is put back once its money is here', async fixture => {
      const { orderNo, no } = await disbursed(fixture)
      await reverts(fixture, no)
      await fixture.agree(await approvalOf(fixture, no))
      await paysIn(fixture, orderNo, '190000.00')
    }),
    way('a retrieval ends with its order', async fixture => {
      const { orderNo } = await retrieved(fixture)
      const version = await fixture.versionOf('order', orderNo)
      await done(fixture, audit.cancel, { orderNo, version, reason: 'duplicate' })
      await fixture.tick('audit.followRetrievals')
    }),
    way('a preview that nobody confirms is discarded', async fixture => {
      const { retrievalBatchNo } = await entered(fixture, [await refusedOrder(fixture)])
      await fixture.exec(sql`
        update retrieval_batch set created_time = created_time - interval '31 minutes' where retrieval_batch_no = ${retrievalBatchNo}`)
      await fixture.tick('audit.discardPreviews')
    }),
  ],
  approvals: [
    {
      action: 'retrieval.revert',
      ask: async fixture => {
        const { no } = await disbursed(fixture)
        await reverts(fixture, no)
        return approvalOf(fixture, no)
      },
    },
  ],
  lists: [
    {
      list: retrieval.items,
      key: 'retrievalNo',
      ownedBy: 'orderNo',
      fill: async fixture => {
        const { no } = await retrieved(fixture)
        await fixture.exec(sql`
          insert into order_retrieval select (jsonb_populate_record(x, jsonb_build_object('retrieval_no', x.retrieval_no || '-' || n % 7 || '-' || n,
            'retrieval_status', (array['failed', 'reverted', 'closed'])[1 + n % 3], 'fail_reason', case when n % 3 = 0 then 'too_old' end, 'created_time', x.created_time - n % 5 * interval '1 hour'))).*
          from order_retrieval x, generate_series(1, 33) n where x.retrieval_no = ${no}`)
      },
      means: {
        orderNo: (row, text: string) => numbersIn(text).includes(String(row.enteredNo)),
        createdBy: (row, wanted: string[]) => wanted.length === 0 || wanted.includes(String(row.createdBy)),
      },
      holds: {
        key: 'retrievalNo',
        query: sql`select r.retrieval_no, r.created_by, o.merchant_no from order_retrieval r left join loan_order o using (order_no)`,
      },
    },
    {
      list: retrieval.batches,
      key: 'retrievalBatchNo',
      of: 'company',
      fill: async fixture => {
        const { retrievalBatchNo } = await entered(fixture, [await refusedOrder(fixture)])
        await fixture.exec(sql`
          insert into retrieval_batch select (jsonb_populate_record(x, jsonb_build_object('retrieval_batch_no', x.retrieval_batch_no || '-' || n % 7 || '-' || n,
            'batch_status', (array['done', 'discarded'])[1 + n % 2], 'created_time', x.created_time - n % 5 * interval '1 hour'))).*
          from retrieval_batch x, generate_series(1, 33) n where x.retrieval_batch_no = ${retrievalBatchNo}`)
      },
      holds: { key: 'retrievalBatchNo', query: sql`select retrieval_batch_no, created_by from retrieval_batch` },
    },
  ],
  records: [
    { fields: ['retrievalBatchNo'], table: 'retrieval_batch', key: 'retrieval_batch_no' },
    {
      fields: ['retrievalNo', 'retrievalNos'],
      table: 'order_retrieval',
      key: 'retrieval_no',
      make: async (fixture, merchantNo) => (await retrieved(fixture, merchantNo)).no,
      owners: sql`select r.retrieval_no as no, o.merchant_no, ${holdersOf} as holders from order_retrieval r join loan_order o using (order_no)`,
    },
  ],
  calls: [
    ...[retrieval.batches, retrieval.confirm, retrieval.discard].map(call => ({ call, about: aboutBatches })),
    { call: retrieval.preview, about: 'a number out of reach is answered as one that there is not' },
    {
      call: retrieval.items.importing?.command as Endpoint,
      about: 'a row out of reach is refused as one that there is not',
    },
  ],
})
