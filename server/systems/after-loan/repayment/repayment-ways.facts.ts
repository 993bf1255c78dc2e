import { contract } from '../../../../core/contract/contract.ts'
import { done, paysIn, undone } from '../../../testing/acts.ts'
import { facts, type House, way } from '../../../testing/facts.ts'

const { repay } = contract

type Type = 'settle' | 'partial' | 'overpayment'

/** A write-off of money that is typed in, or of a part of a receipt that there is. */
const wroteOff = async (house: House, orderNo: string, amount: string, o: { type?: Type; flowNo?: string } = {}) => {
  const form = house.typed(orderNo, amount, o.type)
  const [line] = form.flows
  if (o.flowNo && line) {
    const flow = (await house.rowOf('flow', o.flowNo)) as unknown as { serialNo: string; amount: string }
    form.flows = [{ ...line, flowNo: o.flowNo, serialNo: flow.serialNo, amount: flow.amount }]
  }
  return String((await done(house, repay.commit, await house.tried(form))).repaymentNo)
}

const settled = (house: House, orderNo: string) => wroteOff(house, orderNo, '250000.00', { type: 'settle' })

const reused = async (house: House, orderNo: string, amount: string) => {
  const version = await house.versionOf('order', orderNo)
  return String((await done(house, repay.reuseOverflow, { orderNo, version, amount })).repaymentNo)
}

const heldFor = async (house: House, orderNo: string) => {
  const held = await house.rowOf('overpayment', await house.overpaymentOf(orderNo))
  const { credited, reapplied } = held as unknown as { credited: string; reapplied: string }
  return (Number(credited) - Number(reapplied)).toFixed(2)
}

/** How money is written off, and how that is taken back. */
export default facts({
  ways: [
    way('an order is repaid in parts, settled, and all of it taken back', async house => {
      const { orderNo } = await house.disbursed()
      const made: string[] = []
      for (const amount of ['60000.00', '10000.00', '50000.00']) made.push(await wroteOff(house, orderNo, amount))
      made.push(await settled(house, orderNo))
      for (const repaymentNo of made.reverse()) await undone(house, repaymentNo)
    }),
    way('an order is settled at once, and that is taken back', async house => {
      const { orderNo } = await house.disbursed()
      await undone(house, await settled(house, orderNo))
    }),
    way('one receipt is written off in parts, and part by part taken back', async house => {
      const { orderNo } = await house.disbursed()
      const flowNo = await house.receivedFlow()
      const made: string[] = []
      for (const amount of ['20000.00', '10000.00', '20000.00'])
        made.push(await wroteOff(house, orderNo, amount, { flowNo }))
      for (const repaymentNo of made.reverse()) await undone(house, repaymentNo)
    }),
    way('a customer pays more than is owed, twice, and what is over is used and given back', async house => {
      const first = await house.repaid('M1', '250000.00', 'settle')
      const other = await house.disbursed('M1', first.orderNo)
      await undone(house, await reused(house, other.orderNo, '1000.00'))
      await undone(house, await reused(house, other.orderNo, await heldFor(house, first.orderNo)))
      await wroteOff(house, first.orderNo, '5000.00', { type: 'overpayment' })
    }),
    way('a customer pays in over the network', async house => {
      const { orderNo } = await house.disbursed()
      await paysIn(house, orderNo, '30000.00')
    }),
    way('an overdue order is charged by the day', async house => {
      const { orderNo } = await house.disbursed()
      await house.pass(9 * 1440)
      await house.tick('day.roll')
      await wroteOff(house, orderNo, '1000.00')
      await house.pass(1440)
      await house.tick('day.roll')
    }),
  ],
})
