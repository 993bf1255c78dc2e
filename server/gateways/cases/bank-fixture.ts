import { loan } from '../../../core/contract/after-loan/loan.ts'
import { add, money, neg, sum } from '../../../core/rules/money.ts'
import { addDays, eatDate } from '../../../core/rules/time.ts'
import { freshDir, startBank } from '../../simulators/testing.ts'
import { bankAccountNo, bankPerms, openBank } from '../../systems/after-loan/bank-batch/bank-fixture.ts'
import type { Made } from '../../systems/after-loan/payout/payout-fixture.ts'
import { reopened } from '../../testing/proven.ts'
import { readyFile } from '../../testing/ready-file.ts'
import { bankFolders } from '../bank/folders.ts'
import { noon } from './wallet-fixture.ts'

const opening = 50_000_000

/** Our server and a bank, each with its own record, that share nothing but a folder. */
export const openBankFixture = async () => {
  const folder = freshDir()
  const bank = await startBank({ folder, openingBalance: opening })
  const start = noon()
  await bank.clock(Math.floor((start.getTime() - Date.now()) / 1000))
  const p = await openBank({
    folders: bankFolders(folder, { quietMs: 0 }),
    now: new Date(start.getTime() - 86_400_000).toISOString(),
  })
  await p.fund(money(String(opening)), bankAccountNo)
  p.clock.advance(86_400_000)
  let payees = 0

  /** We send what is to be sent, the bank reads and answers, we read its answers. */
  const exchange = async () => {
    await p.run()
    await bank.look()
    p.clock.advance(1000)
    await p.clockwork('bank.answers')
  }
  const movements = async (loanCode: string) =>
    (await bank.truth()).movements.filter(({ externalId }) => externalId.startsWith(`${loanCode}-`))

  return {
    p,
    bank,
    exchange,
    movements,

    /** A new approved order to a payee at the bank who meets a case. */
    async order(code?: string, variant?: string): Promise<Made> {
      const bankCardNo = `9030001${String(++payees).padStart(6, '0')}`
      if (code) await bank.scenario({ match: 'payee', value: bankCardNo, case: code, variant })
      return p.approved({ bankCardNo })
    },

    /** Makes the file of everything that waits, and has it answered. */
    async send(): Promise<string> {
      await p.run()
      const { batchNo } = (
        await p.make(await p.person({ perms: bankPerms }), { executionDate: eatDate(p.clock.now()) })
      ).data
      await exchange()
      return batchNo
    },

    /** Time goes by for both: the bank does and says what falls due, then we listen and look at what stays silent. */
    async pass(seconds: number) {
      await bank.clock(seconds)
      p.clock.advance(seconds * 1000)
      await exchange()
      await p.clockwork('bank.silence')
    },

    /** The night goes by: the statement of the day lies there, and books are compared with it. */
    async closeDay() {
      const morning = Date.parse(`${addDays(eatDate(p.clock.now()), 1)}T03:30:00Z`)
      await this.pass(Math.floor((morning - p.clock.now().getTime()) / 1000))
      for (const job of ['statement.fetch', 'recon.run'] as const) {
        await p.tick(job)
        while ((await p.run()) > 0);
      }
    },

    /** Two people say what the statement of the bank shows: that it paid, or that it did not. */
    async confirm({ loanCode }: Made): Promise<void> {
      const [movement] = await movements(loanCode)
      const { sentTime } = await p.attempt(loanCode)
      for (let person = 0; person < 2; person++) {
        const as = await p.person({ perms: ['fund:payout:confirm', 'fund:payout:page'] })
        const input = {
          loanCode,
          version: await p.versionOf(loanCode),
          result: movement ? ('success' as const) : ('failure' as const),
          statementDate: eatDate(sentTime ?? ''),
          evidence: await readyFile(p.db, as.userNo),
          ...(movement ? { serialNo: movement.serialNo } : {}),
        }
        const { code, msg } = await p.call(loan.confirm, input, { as })
        if (code !== 0) throw new Error(`refused: ${code} ${msg}`)
      }
    },

    resume: () => p.db.withTx(reopened),

    /** Our account by the ledger, and by what the bank really paid. */
    async bothBalances() {
      const moved = (await bank.truth()).movements.map(({ kind, amount }) =>
        kind === 'return' ? money(amount) : neg(money(amount)),
      )
      return { ledger: await p.balance(`bank:${bankAccountNo}`), truth: add(money(String(opening)), sum(moved)) }
    },

    async close() {
      await p.close()
      await bank.stop()
    },
  }
}
export type BankFixture = Awaited<ReturnType<typeof openBankFixture>>
