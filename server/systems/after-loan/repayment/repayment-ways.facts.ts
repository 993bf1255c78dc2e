import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { done, paysIn, undone } from '../../../testing/acts.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'
import { couponFor } from '../../operation/coupon/coupon.facts.ts'
import { quoted } from './repayment.facts.ts'

const { repay } = contract

type Type = 'settle' | 'partial' | 'extension' | 'overpayment'

/** A write-off of money that is typed in, or of a part of a receipt that there is. */
const wroteOff = async (
  fixture: Fixture,
  orderNo: string,
  amount: string,
  o: { type?: Type; flowNo?: string } = {},
) => {
  const form = fixture.typed(orderNo, amount, o.type)
  const [line] = form.flows
  if (o.flowNo && line) {
    const flow = (await fixture.rowOf('flow', o.flowNo)) as unknown as { serialNo: string; amount: string }
    form.flows = [{ ...line, flowNo: o.flowNo, serialNo: flow.serialNo, amount: flow.amount }]
  }
  return String((await done(fixture, repay.commit, await fixture.tried(form))).repaymentNo)
}

const settled = (fixture: Fixture, orderNo: string) => wroteOff(fixture, orderNo, '250000.00', { type: 'settle' })

const reused = async (fixture: Fixture, orderNo: string, amount: string) => {
  const version = await fixture.versionOf('order', orderNo)
  return String((await done(fixture, repay.reuseOverflow, { orderNo, version, amount })).repaymentNo)
}

const heldFor = async (fixture: Fixture, orderNo: string) => {
  const held = await fixture.rowOf('overpayment', await fixture.overpaymentOf(orderNo))
  const { credited, reapplied } = held as unknown as { credited: string; reapplied: string }
  return (Number(credited) - Number(reapplied)).toFixed(2)
}

/** How money is written off, and how that is taken back. */
export default facts({
  ways: [
    way('an order is repaid in parts, settled, and all of it taken back', async fixture => {
      const { orderNo } = await fixture.disbursed()
      const made: string[] = []
      for (const amount of ['60000.00', '10000.00', '50000.00']) made.push(await wroteOff(fixture, orderNo, amount))
      made.push(await settled(fixture, orderNo))
      for (const repaymentNo of made.reverse()) await undone(fixture, repaymentNo)
    }),
    way('an order is settled at once, and that is taken back', async fixture => {
      const { orderNo } = await fixture.disbursed()
      await undone(fixture, await settled(fixture, orderNo))
    }),
    way('one receipt is written off in parts, and part by part taken back', async fixture => {
      const { orderNo } = await fixture.disbursed()
      const flowNo = await fixture.receivedFlow()
      const made: string[] = []
      for (const amount of ['20000.00', '10000.00', '20000.00'])
        made.push(await wroteOff(fixture, orderNo, amount, { flowNo }))
      for (const repaymentNo of made.reverse()) await undone(fixture, repaymentNo)
    }),
    way('a customer pays more than is owed, twice, and what is over is used and given back', async fixture => {
      const first = await fixture.repaid('M1', '250000.00', 'settle')
      const other = await fixture.disbursed('M1', first.orderNo)
      await undone(fixture, await reused(fixture, other.orderNo, '1000.00'))
      await undone(fixture, await reused(fixture, other.orderNo, await heldFor(fixture, first.orderNo)))
      await wroteOff(fixture, first.orderNo, '5000.00', { type: 'overpayment' })
    }),
    way('an instalment is put off and back, whole and partly paid, and quotes end', async fixture => {
      const { orderNo } = await fixture.disbursed()
      const priceOf = async () => {
        const form = { orderNo, repayType: 'extension', flows: [] }
        const { extension } = (await done(fixture, repay.trial, form)) as { extension: { amount: string } }
        return extension.amount
      }
      const extended = async () => wroteOff(fixture, orderNo, await priceOf(), { type: 'extension' })
      await undone(fixture, await extended())
      const part = await wroteOff(fixture, orderNo, '10000.00')
      await undone(fixture, await extended())
      await undone(fixture, part)
      const billExtensionNo = await quoted(fixture, orderNo)
      await done(fixture, repay.extensionCancel, { billExtensionNo, version: 0 })
      await quoted(fixture, orderNo)
      await fixture.pass(1440)
      await fixture.tick('day.roll')
    }),
    way('a part becomes an extension, and an extension that was paid too well a settlement', async fixture => {
      const one = await fixture.disbursed()
      await undone(fixture, await wroteOff(fixture, one.orderNo, '60000.00'), 'extension')
      const other = await fixture.disbursed()
      const paid = await wroteOff(fixture, other.orderNo, '250000.00', { type: 'extension' })
      await undone(fixture, paid, 'settle')
    }),
    way(
      'a loan is repaid with a coupon, and that is taken back while it is good, and when its time is over',
      async fixture => {
        const { orderNo } = await fixture.disbursed()
        const { customerNo } = (await fixture.rowOf('order', orderNo)) as unknown as { customerNo: string }
        const couponNo = await couponFor(fixture, customerNo)
        const withCoupon = async () => {
          const form = { ...fixture.typed(orderNo, '20000.00'), couponNo }
          return String((await done(fixture, repay.commit, await fixture.tried(form))).repaymentNo)
        }
        await undone(fixture, await withCoupon())
        const late = await withCoupon()
        await fixture.exec(sql`
        update coupon set start_time = start_time - interval '90 days', expire_time = expire_time - interval '60 days' where coupon_no = ${couponNo}`)
        await undone(fixture, late)
      },
    ),
    way('a customer pays in over the network', async fixture => {
      const { orderNo } = await fixture.disbursed()
      await paysIn(fixture, orderNo, '30000.00')
    }),
    way('an overdue order is charged by the day', async fixture => {
      const { orderNo } = await fixture.disbursed()
      await fixture.pass(9 * 1440)
      await fixture.tick('day.roll')
      await wroteOff(fixture, orderNo, '1000.00')
      await fixture.pass(1440)
      await fixture.tick('day.roll')
    }),
  ],
})
