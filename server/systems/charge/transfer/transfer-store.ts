import { type RawBuilder, type Selectable, sql } from 'kysely'
import { formatMoney, type Money, neg } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import type { DB } from '../../../db/types.gen.ts'
import { notFound } from '../../../http/fault.ts'
import { account, post } from '../../../money/ledger.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import type { Payable } from '../send/payable.ts'

type Frag = RawBuilder<unknown>
export type Transfer = Selectable<DB['transferApply']>

/** Read codes of transfers; their details and files are open to the holders of either. */
export const transferReaders = ['transfer:page', 'transfer:audit:page'] as const

/** An account of ours is within reach of who serves one of its merchants. `no` names it. */
export const accountScope = (session: Session, no: Frag, perm?: string): Frag => sql`exists (
  select 1 from fund_account_merchant fm where fm.fund_account_no = ${no} and ${scope(session, { merchant: 'fm.merchant_no', holder: () => sql`true`, perm })})`

/** The data rule of a transfer `t`: that of the account which its money leaves. */
export const transferScope = (session: Session, perm?: string): Frag =>
  accountScope(session, sql`t.from_account_no`, perm)

/** A transfer as it is now, locked. */
export const reread = (tx: Tx, transferNo: string): Promise<Transfer> =>
  tx.one(sql<Transfer>`select * from transfer_apply where transfer_no = ${transferNo} for update`)

/** A transfer for changing it; jobs have no session. */
export const lockTransfer = async (tx: Tx, session: Session | null, transferNo: string): Promise<Transfer> => {
  const found = await tx.maybe(sql`
    select 1 from transfer_apply t where t.transfer_no = ${transferNo} and ${session ? transferScope(session) : sql`true`}`)
  if (!found) throw notFound()
  return reread(tx, transferNo)
}

/** A transfer as something that money is sent for. */
export const payableOf = (tx: Tx, transfer: Transfer): Payable<Transfer> => {
  const { transferNo, fromAccountNo, toAccountNo, transferAmount } = transfer
  return {
    kind: 'transfer',
    machine: 'transferApplication',
    no: transferNo,
    row: transfer,
    status: transfer.transferStatus,
    states: { running: 'paying', failed: 'pay_failed', paid: 'paid' },
    notesUnknown: false,
    async book(way, _, actor) {
      const amount: Money = way === 'sent' ? transferAmount : neg(transferAmount)
      const bank = account.bank(way === 'arrived' ? toAccountNo : fromAccountNo)
      const lines = [
        { account: account.transferInFlight(transferNo), amount },
        { account: bank, amount: neg(amount) },
      ]
      const code = ({ sent: 'P11a', arrived: 'P11b', failed: 'P11c' } as const)[way]
      await post(tx, { code, cause: `transfer_apply:${transferNo}`, keys: {}, lines }, actor)
    },
    paidSet: { payTime: tx.now },
    paid: async () => undefined,
    message: async () => `Own transfer ${transferNo}, UGX ${formatMoney(transferAmount)}`,
  }
}
