import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { facts } from '../../../testing/facts.ts'

const { orderCollected } = contract

export default facts({
  commands: [
    {
      call: orderCollected.bvnQuery,
      make: async fixture => {
        const orderNo = await fixture.allotted()
        await fixture.exec(
          sql`insert into order_bvn (order_no, bvn) values (${orderNo}, '22772000031') on conflict do nothing`,
        )
        return { no: orderNo, input: { orderNo } }
      },
    },
  ],
})
