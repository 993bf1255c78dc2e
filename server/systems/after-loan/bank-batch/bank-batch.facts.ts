import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { base } from '../../../../core/contract/endpoint.ts'
import { countOf, many, rowsAndVersions } from '../../../../tests/races/resource.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, maybe, prefixed } from '../../../testing/copies.ts'
import { facts } from '../../../testing/facts.ts'
import { holdersOf } from '../../../testing/order-lists.ts'
import { answerText } from './bank-fixture.ts'

const { bankBatch } = contract

export default facts({
  approvals: [
    {
      action: 'payout.bankAnswer',
      ask: async fixture => {
        const { batchNo } = await fixture.batched()
        await fixture.app.request(`${base}/payManage/bankBatch/${batchNo}/file`, {
          headers: { token: fixture.boss.token },
        })
        const content = answerText({ answerNo: `A-${batchNo}`, batchNo, status: 'ACTC' })
        return String((await done(fixture, bankBatch.answer, { fileName: 'answer.xml', content })).approvalNo)
      },
    },
  ],
  lists: [
    {
      list: bankBatch.page,
      key: 'batchNo',
      fill: async fixture => {
        const { batchNo } = await fixture.batched()
        await copied(
          fixture,
          'bank_batch',
          `batch_no = '${batchNo}'`,
          `jsonb_build_object('batch_no', 'BB' || n % 7 || '-' || n, ${at('created_time')}, ${maybe('sent_time', 'x.created_time')}, 'amount', 1000 + n % 4 * 1000,
            'payment_count', 1 + n % 3)`,
        )
        await copied(
          fixture,
          'gateway_attempt',
          `batch_no = '${batchNo}'`,
          `jsonb_build_object(${prefixed('external_id', 'gateway_ref')}, 'parent_kind', 'copy' || n, 'batch_no', 'BB' || n % 7 || '-' || n,
            'attempt_status', (array['sent', 'succeeded', 'failed'])[1 + n % 3])`,
        )
      },
    },
  ],
  records: [
    {
      fields: ['batchNo'],
      table: 'bank_batch',
      key: 'batch_no',
      make: async (fixture, merchantNo) => (await fixture.batched(merchantNo)).batchNo,
      owners: sql`
        select batch_no as no, merchant_no, ${holdersOf} as holders from gateway_attempt join loan_code on loan_code = parent_no join loan_order o using (order_no)
        where batch_no is not null`,
    },
  ],
  calls: [
    { call: bankBatch.create, about: 'takes what waits within the scope' },
    {
      call: bankBatch.answer,
      about: 'an answer names its file; one out of reach is refused as one that there is not',
    },
  ],
  races: [
    {
      name: 'the payments of a file for the bank',
      rule: 'M20, M21: a code is in one live file, however many people make it',
      available: 1,
      async make(fixture, parallel) {
        const { loanCode } = await fixture.waitingForFile()
        const input = await fixture.bankFile()
        return {
          tries: many(parallel, () => () => fixture.call(bankBatch.create, input, { as: fixture.boss })),
          taken: () => countOf(fixture, sql`select 1 from gateway_attempt where parent_no = ${loanCode}`),
        }
      },
      kept: {
        by: rowsAndVersions,
        drop: [
          'drop index if exists gateway_attempt_running',
          'alter table gateway_attempt drop constraint if exists gateway_attempt_pkey cascade',
          'drop index if exists merchant_loan_take_held',
          'alter table gateway_attempt drop constraint if exists gateway_attempt_gateway_ref_key',
        ],
        at: /'pending_disbursement' and lc\.loan_code = any/,
      },
    },
  ],
})
