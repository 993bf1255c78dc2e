import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import type { Endpoint, InputOf, OutputOf } from '../../../core/contract/endpoint.ts'
import { approvalModule } from '../../approval/approval.ts'
import type { Tx } from '../../db/database.ts'
import type { Module } from '../../module.ts'
import { rightsOfPerson } from '../../session/session.ts'
import { at, handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'

const day = 86_400_000

/** Two people of finance at work: one asks, the other agrees. */
export const financeDesk = async (tx: Tx, modules: readonly Module[], daysAgo: number) => {
  const hand = handFor([...modules, approvalModule(modules.flatMap(one => one.approvals ?? []))])
  const then = at(tx, new Date(tx.now.getTime() - daysAgo * day))
  const [maker, checker] = await Promise.all(['finance1', 'finance2'].map(no => rightsOfPerson(tx, userNoOf(no), 'en')))
  if (!maker || !checker) throw new Error('the demo has no finance1 and finance2')
  const call = async <E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> => {
    const answer = await hand.call(then, maker, endpoint, input)
    await tx.flush()
    return answer
  }
  return {
    tx,
    then,
    maker,
    call,
    /** The second person agrees to what the first has asked for. */
    agree: async (approvalNo: unknown) => {
      const { version } = await tx.one(
        sql<{ version: number }>`select version from approval where approval_no = ${approvalNo}`,
      )
      const input = { approvalNo: String(approvalNo), version }
      await hand.call(then, checker, contract.common.approve, input as never)
      await tx.flush()
    },
  }
}
/** What is given to those who write the finance part of the demo. */
export type FinanceDesk = Awaited<ReturnType<typeof financeDesk>>
