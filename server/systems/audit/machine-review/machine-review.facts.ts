import { sql } from 'kysely'
import { applied } from '../../../testing/applied.ts'
import { facts, way } from '../../../testing/facts.ts'

export default facts({
  ways: [
    way('machine review refuses', async fixture => {
      await applied(fixture, { emulator: true })
      await fixture.worker.drain()
    }),
    way('machine review approves where no person needs to', async fixture => {
      const orderNo = await applied(fixture)
      await fixture.exec(
        sql`update loan_order set terms = terms || '{"manualReview": false}' where order_no = ${orderNo}`,
      )
      await fixture.worker.drain()
    }),
  ],
})
