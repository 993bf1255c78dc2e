import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { countOf, inTurn, many, rowsAndVersions } from '../../../../tests/races/resource.ts'
import { calls, done, fresh, waits } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'

const { repay } = contract
const reason = 'wrong customer'
const remark = { reason }
const pending = 'drop index if exists approval_pending'
let said = 0

/** Staff type a receipt that waits for proof; then the network says that it was paid. */
const typedAndPaid = async (fixture: Fixture, orderNo: string, amount: string) => {
  const { payCode } = (await fixture.rowOf('order', orderNo)) as unknown as { payCode: string }
  const [serialNo, time] = [fresh('IN'), fixture.clock.now().toISOString()]
  const typed = { serialNo, amount, paymentCode: payCode, paymentChannel: 'mtn_momo', fundAccountNo: 'FA1' }
  await done(fixture, repay.flowSave, { ...typed, entryTime: time, commit: true })
  fixture.received.push({ kind: 'success', serialNo, amount, payer: '256772000031', time, externalId: payCode })
  await calls(fixture, { receipt: serialNo })
}

export default facts({
  machines: {
    flow: {
      row: {
        flowNo: 'FL1',
        channel: 'mtn_momo',
        serialNo: 'SN1',
        amount: 50000,
        entryTime: '2026-03-02T07:00:00Z',
        source: 'typed',
        proof: 'person',
        createdBy: 'U1',
        createdTime: '2026-03-02T07:00:00Z',
      },
      undriven: {
        'receipts are not corrected yet': ['draft flow.update draft'],
      },
    },
  },
  commands: [
    {
      call: repay.flowCommit,
      make: async fixture => {
        const no = await fixture.draftFlow()
        return { no, input: { flowNo: no, version: 0 } }
      },
    },
    {
      call: repay.flowConfirm,
      make: async fixture => {
        const no = await fixture.unprovenFlow()
        return { no, input: { flowNo: no, version: 1, evidence: await fixture.uploaded() } }
      },
      fires: waits,
    },
    {
      call: repay.flowDelete,
      make: async fixture => {
        const no = await fixture.draftFlow()
        return { no, input: { flowNo: no, version: 0 } }
      },
    },
    {
      call: repay.flowVoid,
      make: async fixture => {
        const no = await fixture.receivedFlow()
        return { no, input: { flowNo: no, version: 0, ...remark } }
      },
      fires: waits,
      race: { drop: [pending] },
    },
  ],
  beginnings: [
    {
      call: repay.flowSave,
      input: fixture => ({
        paymentChannel: 'mtn_momo',
        serialNo: 'SN-NEW',
        amount: '50000.00',
        entryTime: fixture.clock.now().toISOString(),
        fundAccountNo: 'FA1',
      }),
    },
  ],
  ways: [
    way('a receipt is voided', async fixture => {
      const flowNo = await fixture.receivedFlow()
      const { approvalNo } = await done(fixture, repay.flowVoid, { flowNo, version: 0, reason: 'wrong customer' })
      await fixture.agree(String(approvalNo))
    }),
    way('a receipt is typed, and a second person confirms it', async fixture => {
      const flowNo = await fixture.unprovenFlow()
      const evidence = await fixture.uploaded()
      const { approvalNo } = await done(fixture, repay.flowConfirm, { flowNo, version: 1, evidence })
      await fixture.agree(String(approvalNo))
    }),
    way('a receipt is typed, and taken back before anything proves it', async fixture => {
      const flowNo = await fixture.unprovenFlow()
      await done(fixture, repay.flowDelete, { flowNo, version: 1 })
    }),
    way('a receipt is typed, and the network shows it', async fixture => {
      const { orderNo } = await fixture.disbursed()
      await typedAndPaid(fixture, orderNo, '30000.00')
    }),
  ],
  approvals: [
    {
      action: 'flow.void',
      ask: async fixture => {
        const flowNo = await fixture.receivedFlow()
        return String((await done(fixture, repay.flowVoid, { flowNo, version: 0, reason })).approvalNo)
      },
    },
    {
      action: 'flow.confirm',
      ask: async fixture => {
        const flowNo = await fixture.unprovenFlow()
        const evidence = await fixture.uploaded()
        return String((await done(fixture, repay.flowConfirm, { flowNo, version: 1, evidence })).approvalNo)
      },
    },
  ],
  lists: [
    {
      list: repay.flows,
      key: 'flowNo',
      fill: async fixture => {
        const flowNo = await fixture.receivedFlow()
        const changes = `jsonb_build_object(${prefixed('flow_no', 'serial_no')}, ${at('entry_time')}, 'amount', 1000 + n % 4 * 1000)`
        await copied(fixture, 'repay_flow', `flow_no = '${flowNo}'`, changes)
      },
      mix: async fixture => {
        await fixture.exec(sql`
          update repay_flow f set payer_account = (array['256770000001', '256770000002', null])[1 + length(flow_no) % 3], isrecord = length(serial_no) % 2 = 0`)
      },
      holds: {
        key: 'flowNo',
        query: sql`select flow_no, payer_account, payment_code, fund_account_no from repay_flow`,
      },
    },
  ],
  records: [
    {
      fields: ['flowNo'],
      table: 'repay_flow',
      key: 'flow_no',
      make: async (fixture, _, { orderNo }) => {
        const { payCode } = (await fixture.rowOf('order', orderNo)) as unknown as { payCode: string }
        return fixture.draftFlow(fixture.boss, payCode)
      },
      owners: sql`select flow_no as no, merchant_no, array[created_by] as holders from repay_flow where merchant_no is not null`,
    },
  ],
  calls: [{ call: repay.flowSave, about: 'makes a receipt; whose it is follows from the pay code' }],
  races: [
    {
      name: 'a receipt of money that several orders want',
      rule: 'G8, M31: applied and refunded never exceed the amount',
      available: 1,
      async make(fixture, parallel) {
        const flowNo = await fixture.receivedFlow()
        const { serialNo } = (await fixture.rowOf('flow', flowNo)) as unknown as { serialNo: string }
        const forms = await inTurn([1, 2, 3, 4], async () => {
          const { orderNo } = await fixture.disbursed()
          const form = fixture.typed(orderNo, '50000.00')
          const flows = [{ ...form.flows[0]!, serialNo, flowNo, writeOffAmount: '30000.00' }]
          return fixture.tried({ ...form, flows })
        })
        return {
          tries: many(parallel, i => () => fixture.call(repay.commit, forms[i % forms.length]!, { as: fixture.boss })),
        }
      },
      kept: {
        by: rowsAndVersions,
        drop: ['alter table repay_flow drop constraint repay_flow_check'],
        at: /from repay_flow f/,
      },
    },
    {
      name: 'the serial number of a receipt',
      rule: 'F10, M31: a serial of a channel is entered once',
      available: 1,
      async make(fixture, parallel) {
        const entry = {
          paymentCode: '7000000002',
          paymentChannel: 'mtn_momo' as const,
          serialNo: `ONCE${++said}`,
          amount: '50000.00',
          entryTime: fixture.clock.now().toISOString(),
          fundAccountNo: 'FA1',
        }
        return {
          tries: many(parallel, () => () => fixture.call(repay.flowSave, entry, { as: fixture.boss })),
          taken: () => countOf(fixture, sql`select 1 from repay_flow where serial_no = ${entry.serialNo}`),
        }
      },
      at: /insert into "?repay_flow"?/,
      kept: {
        by: [],
        drop: ['drop index if exists repay_flow_serial'],
        at: /from repay_flow f left join lateral/,
      },
    },
  ],
})
