import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { payLink } from '../../core/contract/after-loan/pay-link.ts'
import { repay } from '../../core/contract/after-loan/repayment.ts'
import type { Action } from '../../core/engine/screen.ts'
import type { Row } from '../../core/engine/table/columns.ts'
import { system } from '../../server/rights/actor.ts'
import { transition } from '../../server/states/transition.ts'
import type { LoanCode } from '../../server/systems/after-loan/payout/desk/loan-source.ts'
import type { Person } from '../../server/testing/kit.ts'
import { readyFile } from '../../server/testing/ready-file.ts'
import { received, withReceived } from '../../server/testing/received.ts'
import { deskForTests } from '../../server/testing/suites.ts'
import { listOf, type Scene, walk } from './walk.ts'

const { desk, officer } = await deskForTests()
const receipts = listOf((await import('../../widgets/after-loan/repayment/flow-list.tsx')).default)
const orders = listOf((await import('../../widgets/after-loan/repayment/repay-order-list.tsx')).default)

const orderRow = async (orderNo: string, as: Person): Promise<Row | undefined> =>
  (await desk.call(repay.page, { orderNo }, { as })).data.list[0]
const scene =
  (make: () => Promise<string>): Scene =>
  async () => ({ key: await make(), as: officer })

const paid = async (orderNo: string, amount: string, repayType: 'partial' | 'settle' = 'partial') => {
  const answer = await desk.pay(officer, { orderNo, repayType, flows: [desk.typed(amount)] })
  expect(answer).toMatchObject({ code: 0 })
  return answer.data.repaymentNo
}
const settled = async () => {
  const orderNo = await desk.order()
  const row = await orderRow(orderNo, officer)
  await paid(orderNo, String(row?.settleAmount), 'settle')
  return orderNo
}
const reversing = async () => {
  const orderNo = await desk.order()
  await desk.db.withTx(async tx => {
    const code = await tx.one(sql<LoanCode>`select * from loan_code where order_no = ${orderNo}`)
    await transition(tx, 'loanCode', code, { event: 'code.reverse' }, system('test'))
  })
  return orderNo
}

describe('orders', () => {
  walk({
    kit: desk,
    list: { ...orders, actions: { ...orders.actions, row: [...orders.actions.row, ...orders.actions.bulk] } },
    row: orderRow,
    scenes: {
      'on loan': scene(() => desk.order()),
      settled: scene(settled),
      'its payout is being taken back': scene(reversing),
    },
    answers: async (command, row) => {
      if (command === repay.zeroSettle) return { orderNos: [row.orderNo], trialKeys: [''] }
      if (command === payLink.create) return { orderNo: row.orderNo, amount: '5000.00' }
      if (command === repay.extensionQuote) return { orderNo: row.orderNo, version: row.version }
      return {
        version: row.version,
        ...(await withReceived(desk.db, {
          orderNo: String(row.orderNo),
          repayType: 'partial',
          flows: [desk.typed('1000.00')],
        })),
        trialKey: 'none',
        valueDate: undefined,
        remark: undefined,
      }
    },
    anyInput: true,
  })
})

/** The record that a scene is about, and its order. */
const orderOf = new Map<string, string>()
const record = (make: (orderNo: string) => Promise<string>): Scene =>
  scene(async () => {
    const orderNo = await desk.order()
    const repaymentNo = await make(orderNo)
    orderOf.set(repaymentNo, orderNo)
    return repaymentNo
  })

describe('records', () => {
  const rollback: Action<Row> = { run: repay.rollback, label: 'actions.rollBack', ask: ['reason'] }
  walk({
    kit: desk,
    list: { screen: { ...orders.screen, rowKey: 'repaymentNo' }, actions: { row: [rollback], bulk: [] } },
    row: async repaymentNo =>
      (await desk.detail(officer, orderOf.get(repaymentNo) ?? '')).records.find(one => one.repaymentNo === repaymentNo),
    scenes: {
      'the newest': record(orderNo => paid(orderNo, '1000.00')),
      'an earlier one': record(async orderNo => {
        const first = await paid(orderNo, '1000.00')
        await paid(orderNo, '1000.00')
        return first
      }),
      'rollback asked for': record(async orderNo => {
        const repaymentNo = await paid(orderNo, '1000.00')
        await desk.call(repay.rollback, { repaymentNo, version: 0, reason: 'x' }, { as: officer })
        return repaymentNo
      }),
      'rolled back': record(async orderNo => {
        const repaymentNo = await paid(orderNo, '1000.00')
        await desk.rollback(officer, repaymentNo)
        return repaymentNo
      }),
    },
    answers: () => ({}),
  })
})

describe('receipts', () => {
  const save = async (more: object = {}, as = officer) => {
    const { flowNo: _, accountId: __, writeOffAmount: ___, ...line } = desk.typed('1000.00')
    const answer = await desk.call(repay.flowSave, { ...line, fundAccountNo: 'FA1', ...more }, { as })
    expect(answer).toMatchObject({ code: 0 })
    return answer.data.flowNo
  }
  const come = () => received(desk.db, { ...desk.typed('1000.00'), merchantNo: 'M1' })
  const versionOf = async (flowNo: string) =>
    (await desk.rows(sql<{ version: number }>`select version from repay_flow where flow_no = ${flowNo}`))[0]?.version ??
    0
  const proofAsked = async () => {
    const flowNo = await save({ commit: true })
    const input = { flowNo, version: await versionOf(flowNo), evidence: await readyFile(desk.db, officer.userNo) }
    expect(await desk.call(repay.flowConfirm, input, { as: officer })).toMatchObject({ code: 0 })
    return flowNo
  }
  walk({
    kit: desk,
    list: receipts,
    row: async (flowNo, as) => {
      const { data } = await desk.call(repay.flows, { flowStatus: [], pageSize: 100 }, { as })
      return data.list.find(one => one.flowNo === flowNo)
    },
    scenes: {
      draft: scene(() => save()),
      'draft without a pay code': scene(() => save({ paymentCode: undefined })),
      'draft of somebody else': scene(async () => save({}, await desk.officer())),
      'to be proven': scene(() => save({ commit: true })),
      'to be proven, a second person asked': scene(proofAsked),
      available: scene(come),
      'available, void asked for': scene(async () => {
        const flowNo = await come()
        const input = { flowNo, version: await versionOf(flowNo), reason: 'x' }
        expect(await desk.call(repay.flowVoid, input, { as: officer })).toMatchObject({ code: 0 })
        return flowNo
      }),
      'partly used': scene(async () => {
        const orderNo = await desk.order()
        const line = desk.typed('1000.00', { writeOffAmount: '400.00' })
        const { flows } = await withReceived(desk.db, { orderNo, repayType: 'partial', flows: [line] })
        expect(await desk.pay(officer, { orderNo, repayType: 'partial', flows })).toMatchObject({ code: 0 })
        return String(flows[0]?.flowNo)
      }),
    },
    answers: async command =>
      command === repay.flowConfirm ? { evidence: await readyFile(desk.db, officer.userNo) } : {},
  })
})
