import { contract } from '../../../../core/contract/contract.ts'
import { done } from '../../../testing/acts.ts'
import { applied } from '../../../testing/applied.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'
import { ofOrders, orderRows } from '../../../testing/order-lists.ts'

const { audit } = contract

const cancelled = async (fixture: Fixture, orderNo: string) =>
  done(fixture, audit.cancel, { orderNo, version: await fixture.versionOf('order', orderNo), reason: 'duplicate' })

export default facts({
  commands: [
    {
      call: audit.cancel,
      make: async fixture => {
        const no = await fixture.allotted()
        return {
          no,
          input: { orderNo: no, version: await fixture.versionOf('order', no), reason: 'customer_withdrew' },
        }
      },
    },
  ],
  ways: [
    way('an order is cancelled before anybody looked at it', async fixture => {
      await cancelled(fixture, await applied(fixture))
      await fixture.worker.drain()
    }),
    way('an order is cancelled while it waits to be allocated', async fixture => {
      await cancelled(fixture, await fixture.queueUp())
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
    { list: audit.shortList, key: 'orderNo', means: ofOrders, holds: { key: 'orderNo', query: orderRows } },
  ],
})
