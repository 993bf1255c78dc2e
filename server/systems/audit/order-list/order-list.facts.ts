import { contract } from '../../../../core/contract/contract.ts'
import { done } from '../../../testing/acts.ts'
import { applied } from '../../../testing/applied.ts'
import { facts, type House, way } from '../../../testing/facts.ts'
import { ofOrders, orderRows } from '../../../testing/order-lists.ts'

const { audit } = contract

const cancelled = async (house: House, orderNo: string) =>
  done(house, audit.cancel, { orderNo, version: await house.versionOf('order', orderNo), reason: 'duplicate' })

export default facts({
  commands: [
    {
      call: audit.cancel,
      make: async house => {
        const no = await house.allotted()
        return { no, input: { orderNo: no, version: await house.versionOf('order', no), reason: 'customer_withdrew' } }
      },
    },
  ],
  ways: [
    way('an order is cancelled before anybody looked at it', async house => {
      await cancelled(house, await applied(house))
      await house.worker.drain()
    }),
    way('an order is cancelled while it waits to be allocated', async house => {
      await cancelled(house, await house.queueUp())
    }),
  ],
  lists: [
    {
      list: audit.manageList,
      key: 'orderNo',
      coarse: ['waitingMinutes'],
      means: ofOrders,
      holds: { key: 'orderNo', query: orderRows },
    },
  ],
})
