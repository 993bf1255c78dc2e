import type { Database, Tx } from '../../../db/database.ts'
import type { SmppLines, Store } from '../../../gateways/texts/smpp/smpp-lines.ts'
import { keepReport } from '../../../outgoing/report.ts'
import type { Vendors } from '../../../outgoing/vendors.ts'
import { heldAccounts } from '../message-center/index.ts'
import { takeReply } from './replies.ts'

type Carriers = (tx: Tx, o: { all: boolean }) => Promise<Vendors>
const lookMs = 10_000

/** Holds the lines of the accounts that are in use, and keeps what comes on them before it is acknowledged. */
export const listensOn = (lines: SmppLines, carriers: Carriers) => (db: Database) => {
  const store: Store = (accountNo, heard) =>
    db.withTx(async tx => {
      if ('reply' in heard) return takeReply(tx, accountNo, heard.reply)
      const account = (await carriers(tx, { all: true })).sms.find(one => one.accountNo === accountNo)
      if (account) await keepReport(tx, { account, body: heard.receipt })
    })
  lines.listen(store)
  const look = async () => {
    const nos = await db.read(async tx => {
      // Those that are new come to be here.
      await carriers(tx, { all: true })
      return heldAccounts(tx)
    })
    lines.keep(nos)
  }
  const timer = setInterval(() => void look().catch(() => undefined), lookMs)
  timer.unref()
  void look().catch(() => undefined)
  return {
    stop() {
      clearInterval(timer)
      lines.close()
    },
  }
}
