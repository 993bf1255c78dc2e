import { sql } from 'kysely'
import type { SupplementKnown } from '../../../../core/contract/after-loan/supplement.ts'
import { eq, type Money } from '../../../../core/rules/money.ts'
import { type EatDate, eatDate } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { GatewayUnavailable, type ReadStatement } from '../../../gateways/gateway.ts'
import { notFound } from '../../../http/fault.ts'
import type { Deps } from '../../../module.ts'
import { collectionAccounts } from '../flow/flow-store.ts'
import { readersOf } from '../reconciliation/statement.ts'

export type Gateways = Pick<Deps, 'payout' | 'collect' | 'bank'>

/** A transaction as somebody says that it happened. */
export type Claim = {
  fundAccountNo: string
  serialNo: string
  entryTime?: string | undefined
  amount?: Money | undefined
}
export type Asked = {
  claim: Claim
  channel: string
  merchants: readonly string[]
  readers: readonly ReadStatement[]
  today: EatDate
}
export type Answer = Pick<SupplementKnown, 'channelAnswer' | 'channelAmount'>

/** The account that a receipt is claimed for, and how its channel can be asked. */
export const claimed = async (tx: Tx, gateways: Gateways, claim: Claim): Promise<Asked> => {
  const found = await tx.maybe(sql<{ channel: string }>`
    select channel from fund_account where fund_account_no = ${claim.fundAccountNo} and account_role in ('collection', 'both')`)
  if (!found) throw notFound()
  const [own] = await collectionAccounts(tx, { channel: found.channel, fundAccountNo: claim.fundAccountNo })
  if (!own) throw notFound()
  const readers = await readersOf(tx, gateways, claim.fundAccountNo)
  return { claim, channel: found.channel, merchants: own.merchants, readers, today: tx.today }
}

/** Asks the channel for the day of a transaction: it lists a day in full only once that is over. */
export const askChannel = async ({ claim, readers, today }: Asked): Promise<Answer> => {
  const day = claim.entryTime ? eatDate(claim.entryTime) : null
  if (readers.length === 0) return { channelAnswer: 'cannot', channelAmount: null }
  if (!day || day >= today) return { channelAnswer: 'not_closed', channelAmount: null }
  try {
    const said = await Promise.all(readers.map(read => read(day)))
    const line = said
      .flatMap(({ lines }) => lines)
      .find(one => one.serialNo === claim.serialNo && one.direction === 'in' && one.lineKind === 'payment')
    if (!line) return { channelAnswer: 'denied', channelAmount: null }
    const same = claim.amount === undefined || eq(line.amount, claim.amount)
    return { channelAnswer: same ? 'confirmed' : 'other_amount', channelAmount: line.amount }
  } catch (error) {
    if (error instanceof GatewayUnavailable) return { channelAnswer: 'unavailable', channelAmount: null }
    throw error
  }
}

/** The line of a statement of ours that shows a transaction, whatever its amount. */
export const lineOf = (tx: Tx, { fundAccountNo, serialNo }: Pick<Claim, 'fundAccountNo' | 'serialNo'>) =>
  tx.maybe(sql<NonNullable<SupplementKnown['line']>>`
    select line_no, entry_time, amount, payer_account, reference, narrative from statement_line
    where fund_account_no = ${fundAccountNo} and serial_no = ${serialNo} and direction = 'in' and line_kind = 'payment'`)
