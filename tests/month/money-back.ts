import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { repay } from '../../core/contract/after-loan/repayment.ts'
import { refund } from '../../core/contract/charge/refund.ts'
import { transfer } from '../../core/contract/charge/transfer.ts'
import type { Money } from '../../core/rules/money.ts'
import type { Random } from '../../server/demo/random.ts'
import type { Desk } from './people.ts'
import { accounts, airtelNumber, type World } from './world.ts'

type Held = { customerNo: string; amount: Money; channel: 'mtn_momo' | 'airtel_money'; payerAccount: string }

/** What customers have paid too much and nobody has promised, with the wallet that the newest of it came from. */
const overflows = (desk: Desk) =>
  desk.rows(sql<Held>`
    select v.customer_no, trunc(v.credited - v.refunded - v.reapplied - v.reserved)::numeric(18,2) as amount, f.channel, f.payer_account
    from overpayment v join lateral (
      select channel, payer_account from repay_flow f where f.customer_no = v.customer_no and f.payer_account is not null and f.flow_status <> 'void'
      order by f.entry_time desc limit 1) f on true
    where v.credited - v.refunded - v.reapplied - v.reserved >= 500 and v.overpayment_status <> 'locked'
      and not exists (select 1 from client_refund r where r.customer_no = v.customer_no and r.refund_status in ('created', 'in_progress', 'failure'))
    order by v.customer_no`)

/** One person asks for the money of customers who paid too much, another looks at it and pays it out. */
export const refundOverflows = async (desk: Desk): Promise<number> => {
  let asked = 0
  for (const { customerNo, amount, channel, payerAccount } of await overflows(desk)) {
    const made = await desk.act(refund.submit, {
      customerNo,
      refundSource: 'overpaid',
      refundAmount: amount,
      channel,
      payeeName: 'Grace Nakato',
      payeeAccount: payerAccount,
      refundReason: 'customer_asked',
      attachNos: [await desk.evidence('maker')],
    })
    if (!made) continue
    asked += 1
    const { refundNo, version } = made
    const seen = ['id_picture'] as const
    await desk.act(refund.ignore, { refundNo, version, reason: 'Called back', seen: [...seen] }, 'checker')
  }
  return asked
}

type Standing = { refundNo: string; channel: keyof typeof accounts; version: number; attemptNo: number }
const refundsIn = (desk: Desk, where: ReturnType<typeof sql>) =>
  desk.rows(
    sql<Standing>`select refund_no, channel, version, attempt_no from client_refund where ${where} order by refund_no`,
  )

/** What was approved is paid; what failed is sent again a few times. */
export const payRefunds = async (desk: Desk): Promise<void> => {
  const pending = await refundsIn(desk, sql`refund_status = 'created' and audit_status = 'pending'`)
  for (const { refundNo } of pending)
    await desk.act(refund.approve, { refundNos: [refundNo], sharedAccountSeen: true }, 'checker')
  for (const { refundNo, channel } of await refundsIn(
    desk,
    sql`refund_status = 'created' and audit_status = 'approved'`,
  ))
    await desk.act(refund.payout, { refundNos: [refundNo], fundAccountNo: accounts[channel] }, 'checker')
  for (const { refundNo, channel, version } of await refundsIn(desk, sql`refund_status = 'failure' and attempt_no < 4`))
    await desk.act(refund.again, { refundNo, version, fundAccountNo: accounts[channel] }, 'checker')
}

/** Float is moved from MTN to Airtel: one asks, another agrees, pays in MTN's own portal, and notes the number that MTN gave. */
export const moveFloat = async (world: World, desk: Desk, random: Random): Promise<void> => {
  const transferAmount = `${random.int(1, 9)}00000.00`
  const asked = await desk.act(transfer.submit, {
    fromAccountNo: accounts.mtn_momo,
    toAccountNo: accounts.airtel_money,
    transferAmount,
    transferPurpose: 'payout_float',
    attachNos: [await desk.evidence('maker')],
  })
  if (!asked) return
  const { transferNo } = asked
  const agreed = await desk.act(transfer.approve, { transferNo, version: asked.version }, 'checker')
  if (!agreed) return
  await world.networks.mtn_momo.scenario({ match: 'payee', value: airtelNumber, case: 'G01' })
  const payment = { gatewayRef: randomUUID(), externalId: `${transferNo}-1`, amount: transferAmount }
  await world.payout.mtn_momo.send({ ...payment, payee: { walletAccount: airtelNumber }, payerMessage: 'Float' })
  await world.pass(65)
  const { movements } = await world.networks.mtn_momo.truth(`?externalId=${payment.externalId}`)
  const [{ serialNo } = { serialNo: '' }] = movements
  const evidence = await desk.evidence('checker')
  await desk.act(transfer.sent, { transferNo, version: agreed.version, serialNo, evidence }, 'checker')
}

/** What MTN paid to our Airtel number arrives there, once; its statement alone shows it. */
export const arriveTransfers = async (world: World, arrived: Set<string>): Promise<void> => {
  const { movements } = await world.networks.mtn_momo.truth()
  for (const { kind, ref, externalId, amount } of movements) {
    if (kind !== 'payout' || !externalId.startsWith('TF') || arrived.has(ref)) continue
    arrived.add(ref)
    await world.networks.airtel_money.payIn({
      reference: externalId,
      payer: '256770000001',
      amount: Number(amount),
      case: 'R04',
    })
  }
}

/** A repayment was written off to the wrong order: two people take it back, and it is written off again to the same one by hand. */
export const rollBackSome = async (desk: Desk, random: Random, most: number): Promise<number> => {
  const records = await desk.rows(sql<{ repaymentNo: string; version: number }>`
    select r.repayment_no, r.version from repay_record r where r.record_status = 'posted'
      and not exists (select 1 from repay_record later where later.order_no = r.order_no and later.record_seq > r.record_seq)
    order by r.repayment_no desc limit 200`)
  let done = 0
  for (const { repaymentNo, version } of records) {
    if (done >= most) break
    if (!random.chance(0.1)) continue
    const asked = await desk.act(repay.rollback, { repaymentNo, version, reason: 'Written to the wrong order' })
    if (await desk.agreed(asked)) done += 1
  }
  return done
}

type Stray = {
  flowNo: string
  serialNo: string
  remaining: Money
  amount: Money
  entryTime: string
  paymentCode: string
  channel: 'mtn_momo'
  orderNo: string | null
}

const strays = (desk: Desk) =>
  desk.rows(sql<Stray>`
    select f.flow_no, f.serial_no, (f.amount - f.applied - f.refunded)::numeric(18,2) as remaining, f.amount, f.entry_time, f.payment_code, f.channel, (
      select o.order_no from loan_order o join customer c using (customer_no)
      where substr(c.phone, 6) = substr(f.payer_account, 6) and o.order_status = 'funds_disbursed' limit 1) as order_no
    from repay_flow f where f.flow_status in ('available', 'partly_used') order by f.flow_no`)

/** Receipts that nothing decided about: an officer finds the order by the payer, tries it, and writes them off. */
export const matchStrays = async (desk: Desk): Promise<number> => {
  let matched = 0
  for (const stray of await strays(desk)) {
    if (!stray.orderNo || !stray.paymentCode) continue
    const { flowNo, serialNo, amount, entryTime, paymentCode, channel } = stray
    const flow = {
      flowNo,
      serialNo,
      amount,
      entryTime,
      paymentCode,
      paymentChannel: channel,
      writeOffAmount: stray.remaining,
    }
    for (const repayType of ['settle', 'partial'] as const) {
      const given = { orderNo: stray.orderNo, repayType, flows: [flow] }
      const trial = await desk.act(repay.trial, given)
      if (!trial || trial.refusal) continue
      const [order] = await desk.rows(
        sql<{ version: number }>`select version from loan_order where order_no = ${stray.orderNo}`,
      )
      const done = await desk.act(repay.commit, {
        ...given,
        version: order?.version ?? 0,
        trialKey: trial.trialKey,
        confirmGreater: true,
        confirmNotExtension: true,
      })
      if (done) matched += 1
      break
    }
  }
  return matched
}
