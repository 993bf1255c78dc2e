import { sql } from 'kysely'
import { gte, type Money } from '../../../../core/rules/money.ts'
import type { PayoutGateway } from '../../../gateways/gateway.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { Deps, Scheduled } from '../../../module.ts'
import { gatewayOf, network } from './payout-send.ts'

type Short = { fundAccountNo: string; channel: string; shortAmount: Money }
type Asking = Short & { gateway: PayoutGateway }

/** Lets an account pay again once its network says that it holds what it could not pay. */
export const balanceQueue = (payout: Deps['payout']) =>
  network<Asking, Money | null>({
    queue: 'balance.ask',
    async before(tx, { payload }) {
      const short = await tx.maybe(sql<Short>`
        select fund_account_no, channel, short_amount from fund_account
        where fund_account_no = ${String(payload.fundAccountNo)} and short_amount is not null`)
      return short ? { ...short, gateway: gatewayOf(payout, short.channel) } : null
    },
    send: ({ gateway }) => gateway.balance().catch(() => null),
    async after(tx, { fundAccountNo, shortAmount }, balance) {
      if (balance === null || !gte(balance, shortAmount)) return
      await tx.exec(sql`
        update fund_account set short_amount = null
        where fund_account_no = ${fundAccountNo} and short_amount <= ${balance}`)
    },
  })

/** Asks for the balance of every account that pays nothing because it held too little. */
export const balanceJob: Scheduled = {
  job: 'balance.poll',
  every: { seconds: 900 },
  run: async tx => {
    const short = await tx.rows(
      sql<{ fundAccountNo: string }>`select fund_account_no from fund_account where short_amount is not null`,
    )
    for (const { fundAccountNo } of short)
      await enqueue(tx, 'balance.ask', `${fundAccountNo}:${tx.now.toISOString()}`, { fundAccountNo })
    return { asked: short.length }
  },
}
