import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import type { Application } from '../../../core/contract/intake.ts'
import type { Person } from '../../../server/testing/kit.ts'
import { application, send } from '../../../server/testing/partner.ts'
import type { House } from '../../contract/house.ts'
import { done, type Way, way } from './way.ts'

const { audit } = contract

let applicants = 50_000
/** An application that machine review has not looked at. */
const applied = async (house: House, device: Partial<Application['device']> = {}) => {
  const drawn = application(++applicants)
  house.network.holders.set(drawn.payout.walletAccount, drawn.payout.cardholderName)
  const body = {
    ...drawn,
    customer: { ...drawn.customer, birthDate: '1990-05-05', monthlyIncome: '2000000.00' },
    device: { ...drawn.device, rooted: false, emulator: false, ...device },
  }
  return (house.must(await send(house, body)) as { orderNo: string }).orderNo
}

const cancelled = async (house: House, orderNo: string) =>
  done(house, audit.cancel, { orderNo, version: await house.versionOf('order', orderNo), reason: 'duplicate' })

const handedTo = (house: House, orderNo: string, to: Person, force = false) =>
  done(house, audit.allot, { orderNos: [orderNo], auditorNos: [to.userNo], force })

/** How orders come to a decision, and how they do not. */
export const reviewWays: readonly Way[] = [
  way('an order is cancelled before anybody looked at it', async house => {
    await cancelled(house, await applied(house))
    await house.worker.drain()
  }),
  way('an order is cancelled while it waits to be allocated', async house => {
    await cancelled(house, await house.queueUp())
  }),
  way('machine review refuses', async house => {
    await applied(house, { emulator: true })
    await house.worker.drain()
  }),
  way('machine review approves where no person needs to', async house => {
    const orderNo = await applied(house)
    await house.exec(sql`update loan_order set terms = terms || '{"manualReview": false}' where order_no = ${orderNo}`)
    await house.worker.drain()
  }),
  way('an order is handed to another auditor, before and after it was opened', async house => {
    const orderNo = await house.allotted()
    await handedTo(house, orderNo, house.second)
    await done(house, audit.open, { orderNo }, house.second)
    await done(house, audit.open, { orderNo }, house.second)
    await done(house, audit.open, { orderNo, force: true })
    await handedTo(house, orderNo, house.boss, true)
  }),
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
]

const reviewed = async (house: House) => {
  const { orderNo, leaseToken } = await house.opened()
  return house.decision(orderNo, leaseToken)
}
