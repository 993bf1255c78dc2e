import { sql } from 'kysely'
import { afterAll, beforeEach } from 'vitest'
import { silentLog } from '../../../log.ts'
import { noPayout } from '../../../money/no-gateway.ts'
import { jobsOf } from '../../../run.ts'
import { nameOf } from '../../../simulators/people.ts'
import { openKit } from '../../../testing/kit.ts'
import { application, send } from '../../../testing/partner.ts'
import { intakeModule } from '../../order/intake/intake.ts'
import { machineReviewModule } from './machine-review.ts'

type Reviewed = {
  orderStatus: string
  modelScore: number
  modelLevel: string
  suggestedAmount: string | null
  refuseCode: string | null
  refusedBy: string | null
  machineTime: string | null
  ruleHits: { ruleNo: string; outcome: string }[]
  payoutVerify: string
  payoutHolderName: string | null
  approvalAmount: string | null
  loanAmount: string
  actualLoanAmount: string
}
type Change = Parameters<typeof application>[1]

/** Applications and the machine that reviews them, for the tests of a file; each test begins with a network that names every holder. */
export const reviewsForTests = async () => {
  const network: { holder: (account: string) => Promise<{ name: string } | null> } = { holder: async () => null }
  const payout = { mtn_momo: { ...noPayout, verifyHolder: (account: string) => network.holder(account) } }
  const modules = [intakeModule(), machineReviewModule({ payout })]
  const kit = await openKit({ handmade: true, modules })
  const { worker } = jobsOf({ db: kit.db, log: silentLog, modules })
  let seed = 5000
  beforeEach(() => {
    network.holder = async account => ({ name: nameOf(account) })
  })
  afterAll(() => kit.close())

  /** The application of somebody who has not applied before. */
  const another = (change: Change = {}) => application(++seed, change)
  const next = (change: Change = {}) => {
    const made = another(change)
    const device = { ...made.device, rooted: false, emulator: false, ...change.device }
    return {
      ...made,
      device,
      customer: { ...made.customer, monthlyIncome: '900000.00', birthDate: '1992-05-14', ...change.customer },
      contacts: change.contacts ?? made.contacts,
    }
  }
  const write = (query: ReturnType<typeof sql>) => kit.db.withTx(tx => tx.exec(query))
  const rows = <T>(query: ReturnType<typeof sql<T>>) => kit.db.read(tx => tx.rows(query))
  const found = (orderNo: string) =>
    kit.db.read(tx => tx.one(sql<Reviewed>`select * from loan_order where order_no = ${orderNo}`))
  const applied = async (change: Change = {}) => (await send(kit, next(change))).data.orderNo
  const reviewed = async (change: Change = {}) => {
    const orderNo = await applied(change)
    await worker.drain()
    return { orderNo, ...(await found(orderNo)) }
  }
  return { kit, worker, network, another, next, write, rows, found, applied, reviewed }
}
