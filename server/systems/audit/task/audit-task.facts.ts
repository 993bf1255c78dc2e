import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { inTurn, many, rowsAndVersions, won } from '../../../../tests/races/resource.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, maybe, prefixed } from '../../../testing/copies.ts'
import { facts, type House, way } from '../../../testing/facts.ts'
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

const lease = async (house: House) => {
  const { orderNo, auditTaskNo, leaseToken } = await house.opened()
  return { no: auditTaskNo, input: { orderNo, leaseToken } }
}

const reviewed = async (house: House) => {
  const { orderNo, leaseToken } = await house.opened()
  return house.decision(orderNo, leaseToken)
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

export default facts({
  machines: {
    auditTask: {
      row: { auditTaskNo: 'AT1', orderNo: 'LO1', auditorNo: 'U1', auditStep: 1, allotTime: '2026-03-02T07:00:00Z' },
    },
  },
  commands: [
    {
      call: audit.open,
      make: async house => {
        const orderNo = await house.allotted()
        const { auditTaskNo } = await house.taskOf(orderNo)
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
      make: async house => {
        const { no, input } = await lease(house)
        return { no, input: { ...input, draft: { remark: 'calm voice' } } }
      },
      race: { again: true },
    },
    {
      call: audit.submit,
      make: async house => {
        const { no, input } = await lease(house)
        return { no, input: await house.decision(input.orderNo, input.leaseToken) }
      },
      fires: { machine: 'M11', event: 'task.submit', why: 'the order moves with it' },
      race: { drop: ['drop index if exists loan_code_open'] },
    },
    {
      call: audit.changePayout,
      make: async house => {
        const { input } = await lease(house)
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
    way('an auditor refuses', async house => {
      await house.exec(sql`
      insert into refuse_code (refuse_code, level, name_zh, name_en, name_sw) values ('B1', 2, '收入不足', 'Income too low', 'Kipato kidogo')`)
      const { approvalAmount: _, approvalTime: __, ...rest } = await reviewed(house)
      await done(house, audit.submit, { ...rest, auditResult: 'refuse', refuseCode: 'B1' })
    }),
    way('an auditor sends an order back', async house => {
      const { orderNo, leaseToken, version } = await reviewed(house)
      const decision = { auditResult: 'sent_back', sendBackReason: 'materials' }
      await done(house, audit.submit, { orderNo, leaseToken, version, ...decision })
    }),
    way('the first of two auditors passes an order', async house => {
      const decision = await reviewed(house)
      const { orderNo } = decision
      await house.exec(sql`update loan_order set terms = terms || '{"auditStepCount": 2}' where order_no = ${orderNo}`)
      await done(house, audit.submit, decision)
    }),
  ],
  approvals: [
    {
      action: 'payout.acceptPayee',
      ask: async house => {
        const { orderNo, leaseToken } = await house.opened()
        const lease = { orderNo, leaseToken }
        const { userNo } = await house.reviewer()
        await done(house, audit.changePayout, { ...lease, ...bankAccount })
        /** Somebody else than those who ask and agree has changed the account. */
        await house.exec(sql`update order_payout_history set changed_by = ${userNo} where order_no = ${orderNo}`)
        const evidence = await house.uploaded(house.boss)
        const version = await house.versionOf('order', orderNo)
        return String((await done(house, audit.markPayoutChecked, { ...lease, version, evidence })).approvalNo)
      },
    },
  ],
  lists: [
    {
      list: audit.selfList,
      key: 'auditTaskNo',
      of: 'person',
      asked: () => ({ box: 'todo' }),
      fill: async (house, { waiting }) => {
        const { auditTaskNo } = await house.taskOf(waiting)
        const changes = `jsonb_build_object(${prefixed('audit_task_no', 'order_no')}, ${at('allot_time')}, ${maybe('submit_time', 'x.allot_time')})`
        await copied(house, 'audit_task', `audit_task_no = '${auditTaskNo}'`, changes)
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
      async make(house, parallel) {
        const holder = await house.reviewer({ perms: [] })
        const orderNo = await house.allotted('M1', holder)
        const people = [house.boss, house.second]
        return {
          tries: many(parallel, i => async () => {
            const as = people[i % 2]!
            return { ...(await house.call(audit.open, { orderNo }, { as })), text: as.userNo }
          }),
          taken: async told => new Set(told.filter(won).map(one => one.text)).size,
        }
      },
      kept: { by: rowsAndVersions, at: /select t\.\* from audit_task/ },
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
  ],
})
