import { sql } from 'kysely'
import { applied } from '../../../testing/applied.ts'
import { facts, way } from '../../../testing/facts.ts'

export default facts({
  ways: [
    way('machine review refuses', async house => {
      await applied(house, { emulator: true })
      await house.worker.drain()
    }),
    way('machine review approves where no person needs to', async house => {
      const orderNo = await applied(house)
      await house.exec(
        sql`update loan_order set terms = terms || '{"manualReview": false}' where order_no = ${orderNo}`,
      )
      await house.worker.drain()
    }),
  ],
})
