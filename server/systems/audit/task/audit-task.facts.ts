import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { inTurn, many, rowsAndVersions, won } from '../../../../tests/races/resource.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, maybe, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'
import { holdersOf, named, orderRows } from '../../../testing/order-lists.ts'

const { audit } = contract
const newWallet = '256772888777'
const history = 'alter table order_payout_history drop constraint if exists order_payout_history_pkey'
const bankAccount = {
  payoutType: 'bank',
  payoutSubtype: 'bank_transfer',
  bankName: 'Stanbic Bank',
  bankCardNo: '9030001234567',
  cardholderName: 'Grace Nakato',
} as const

const lease = async (fixture: Fixture) => {
  const { orderNo, auditTaskNo, leaseToken } = await fixture.opened()
  return { no: auditTaskNo, input: { orderNo, leaseToken } }
}

const reviewed = async (fixture: Fixture) => {
  const { orderNo, leaseToken } = await fixture.opened()
  return fixture.decision(orderNo, leaseToken)
}

/** Two orders of one customer whose credit is enough for one of them. */
const twoOpened = async (fixture: Fixture) => {
  const first = await fixture.opened()
  const second = await fixture.opened('M1', fixture.boss, first.orderNo)
  const { customerNo } = await fixture.one(
    sql<{ customerNo: string }>`select customer_no from loan_order where order_no = ${first.orderNo}`,
  )
  await fixture.exec(
    sql`update customer set remaining_limit = 300000, credit_limit = 300000 where customer_no = ${customerNo}`,
  )
  return [first, second] as const
}

export default facts({
  machines: {
    auditTask: {
      row: { auditTaskNo: 'AT1', orderNo: 'LO1', auditorNo: 'U1', auditStep: 1, allotTime: '2026-03-02T07:00:00Z' },
    },
  },
  commands: [
    {
      call: audit.open,
      make: async fixture => {
        const orderNo = await fixture.allotted()
        const { auditTaskNo } = await fixture.taskOf(orderNo)
        return { no: auditTaskNo, input: { orderNo } }
      },
      race: { again: true },
    },
    {
      call: audit.heartbeat,
      make: lease,
      race: { again: true },
    },
    {
      call: audit.draft,
      make: async fixture => {
        const { no, input } = await lease(fixture)
        return { no, input: { ...input, draft: { remark: 'calm voice' } } }
      },
      race: { again: true },
    },
    {
      call: audit.submit,
      make: async fixture => {
        const { no, input } = await lease(fixture)
        return { no, input: await fixture.decision(input.orderNo, input.leaseToken) }
      },
      fires: { machine: 'M11', event: 'task.submit', why: 'the order moves with it' },
      race: { drop: ['drop index if exists loan_code_open'] },
    },
    {
      call: audit.changePayout,
      make: async fixture => {
        const { input } = await lease(fixture)
        const to = {
          payoutType: 'wallet',
          payoutSubtype: 'mtn',
          walletAccount: newWallet,
          cardholderName: 'Grace Nakato',
        }
        return { no: input.orderNo, input: { ...input, ...to } }
      },
      race: { drop: [history] },
    },
  ],
  ways: [
    way('an auditor refuses', async fixture => {
      await fixture.exec(sql`
      insert into refuse_code (refuse_code, level, name_zh, name_en, name_sw) values ('B1', 2, '收入不足', 'Income too low', 'Kipato kidogo')`)
      const { approvalAmount: _, approvalTime: __, ...rest } = await reviewed(fixture)
      await done(fixture, audit.submit, { ...rest, auditResult: 'refuse', refuseCode: 'B1' })
    }),
    way('an auditor sends an order back', async fixture => {
      const { orderNo, leaseToken, version } = await reviewed(fixture)
      const decision = { auditResult: 'sent_back', sendBackReason: 'materials' }
      await done(fixture, audit.submit, { orderNo, leaseToken, version, ...decision })
    }),
    way('the first of two auditors passes an order', async fixture => {
      const decision = await reviewed(fixture)
      const { orderNo } = decision
      await fixture.exec(
        sql`update loan_order set terms = terms || '{"auditStepCount": 2}' where order_no = ${orderNo}`,
      )
      await done(fixture, audit.submit, decision)
    }),
  ],
  approvals: [
    {
      action: 'payout.acceptPayee',
      ask: async fixture => {
        const { orderNo, leaseToken } = await fixture.opened()
        const lease = { orderNo, leaseToken }
        const { userNo } = await fixture.reviewer()
        await done(fixture, audit.changePayout, { ...lease, ...bankAccount })
        /** Somebody else than those who ask and agree has changed the account. */
        await fixture.exec(sql`update order_payout_history set changed_by = ${userNo} where order_no = ${orderNo}`)
        const evidence = await fixture.uploaded(fixture.boss)
        const version = await fixture.versionOf('order', orderNo)
        return String((await done(fixture, audit.markPayoutChecked, { ...lease, version, evidence })).approvalNo)
      },
    },
  ],
  lists: [
    {
      list: audit.selfList,
      key: 'auditTaskNo',
      of: 'person',
      asked: () => ({ box: 'todo' }),
      fill: async (fixture, { waiting }) => {
        const { auditTaskNo } = await fixture.taskOf(waiting)
        const changes = `jsonb_build_object(${prefixed('audit_task_no', 'order_no')}, ${at('allot_time')}, ${maybe('submit_time', 'x.allot_time')})`
        await copied(fixture, 'audit_task', `audit_task_no = '${auditTaskNo}'`, changes)
      },
      coarse: ['waitingMinutes'],
      means: { orderNo: named('orderNo') },
      holds: { key: 'orderNo', query: orderRows },
    },
  ],
  records: [
    {
      fields: ['auditTaskNo'],
      table: 'audit_task',
      key: 'audit_task_no',
      owners: sql`select audit_task_no as no, merchant_no, ${holdersOf} as holders from audit_task join loan_order o using (order_no)`,
    },
  ],
  calls: [
    { call: audit.heartbeat, silent: 'the page says that it is still open' },
    { call: audit.draft, silent: 'a draft is the own work, and nothing is decided by it' },
    {
      call: audit.changePayout,
      needs: () => ({ payoutType: 'wallet', payoutSubtype: 'mtn', walletAccount: newWallet }),
    },
  ],
  races: [
    {
      name: 'the lease of a task',
      rule: 'X29, M11: one person has a task open',
      available: 1,
      async make(fixture, parallel) {
        const holder = await fixture.reviewer({ perms: [] })
        const orderNo = await fixture.allotted('M1', holder)
        const people = [fixture.boss, fixture.second]
        return {
          tries: many(parallel, i => async () => {
            const as = people[i % 2]!
            return { ...(await fixture.call(audit.open, { orderNo }, { as })), text: as.userNo }
          }),
          taken: async replies => new Set(replies.filter(won).map(one => one.text)).size,
        }
      },
      kept: { by: rowsAndVersions, at: /select t\.\* from audit_task/ },
    },
    {
      name: 'the credit of a customer',
      rule: 'M54: remaining credit is never below nothing',
      available: 1,
      async make(fixture, parallel) {
        const opened = await twoOpened(fixture)
        const decisions = await inTurn(opened, ({ orderNo, leaseToken }) => fixture.decision(orderNo, leaseToken))
        return { tries: many(parallel, i => () => fixture.call(audit.submit, decisions[i % 2]!, { as: fixture.boss })) }
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
  ],
})
