import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import type { Endpoint } from '../../../core/contract/endpoint.ts'
import type { Tx } from '../../db/database.ts'
import { rightsOfPerson } from '../../session/session.ts'
import { loanLimitModule } from '../../systems/operation/loan-limit/loan-limit.ts'
import { at, handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'

const { loanLimit } = contract
type Values = Record<string, unknown>
type Limit = { limitNo: string; version: number; merchantNo: string; productNo: string | null }

/** What each merchant of the beginning may pay out on a day. */
const daily: Readonly<Record<string, string>> = { M1: '25000000.00', M2: '18000000.00', M3: '12000000.00' }

/** Lending limits as the heads left them: three open, one narrower by kind of loan, one suspended, one that is to be raised for a day. */
export const writeLimits = async (tx: Tx): Promise<void> => {
  const hand = handFor([loanLimitModule()])
  const boss = await rightsOfPerson(tx, userNoOf('admin'), 'en')
  if (!boss) return
  const now = at(tx, tx.now)
  const act = async (endpoint: unknown, input: Values) => {
    await hand.call(now, boss, endpoint as Endpoint, input as never)
    await tx.flush()
  }
  const limits = await tx.rows(sql<Limit>`
    select limit_no, version, merchant_no, product_no from merchant_loan_limit where product_no is null order by merchant_no`)
  const others = limits.filter(({ merchantNo }) => !daily[merchantNo])
  for (const { limitNo, version, merchantNo } of limits)
    if (daily[merchantNo])
      await act(loanLimit.save, { limitNo, version, dailyLimit: daily[merchantNo], outstandingLimit: '900000000.00' })
  await act(loanLimit.add, { merchantNo: 'M1', loanKind: 'first', dailyLimit: '15000000.00', dailyPayouts: 200 })
  const [stopped, raised] = others
  if (stopped) await act(loanLimit.suspend, { limitNos: [stopped.limitNo], reason: 'Waiting for the signed agreement' })
  if (raised) {
    const { limitNo, version } = raised
    await act(loanLimit.day, { limitNo, version, dayLimit: '5000000.00', dayPayouts: 40 })
  }
}
