import { sql } from 'kysely'
import { addDays, type EatDate, eatDate } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { bankStatement } from '../../../gateways/bank/statement.ts'
import type { PayoutChannel, ReadStatement, Statement } from '../../../gateways/gateway.ts'
import { newRequestId } from '../../../http/request.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { Deps, Module, Scheduled } from '../../../module.ts'
import { system } from '../../../rights/actor.ts'
import { network } from '../payout/payout-send.ts'
import { runRecon } from './recon-queue.ts'
import { reconQueue } from './recon-run.ts'
import { joined, lockRecon, takeStatement } from './statement-store.ts'

type Gateways = Pick<Deps, 'payout' | 'collect' | 'bank'>
type Account = {
  fundAccountNo: string
  channel: PayoutChannel | 'bank_file'
  accountRole: 'payout' | 'collection' | 'both'
  accountNumber: string
}
type Asked = { account: Account; date: EatDate; readers: ReadStatement[] }

/** A network that was silent for longer is asked by a person. */
const mostDays = 31

/** Our accounts, and how their statements are read. The gateway of a wallet knows one account of ours in each role: the first. */
const accounts = async (
  tx: Tx,
  { payout, collect, bank }: Gateways,
): Promise<{ account: Account; readers: ReadStatement[] }[]> => {
  const taken = new Set<string>()
  const rows = await tx.rows(sql<Account>`
    select fund_account_no, channel, account_role, account_number from fund_account where enabled = 'enabled' order by created_time, fund_account_no`)
  return rows.map(account => {
    const { channel, accountRole } = account
    if (channel === 'bank_file')
      return { account, readers: bank?.tellsStatements(account.fundAccountNo) ? [bankStatement(bank, account)] : [] }
    const roles = (['payout', 'collection'] as const).filter(role => accountRole === 'both' || accountRole === role)
    const offered = roles.map(role => {
      const first = !taken.has(`${channel} ${role}`)
      taken.add(`${channel} ${role}`)
      return first ? (role === 'payout' ? payout : collect)[channel]?.statement : undefined
    })
    const readers = offered.filter(reader => reader !== undefined)
    return { account, readers: readers.length === roles.length ? readers : [] }
  })
}

/** How the statements of one account are read; none where nobody tells them. */
export const readersOf = async (tx: Tx, gateways: Gateways, fundAccountNo: string): Promise<ReadStatement[]> =>
  (await accounts(tx, gateways)).find(({ account }) => account.fundAccountNo === fundAccountNo)?.readers ?? []

/** The days of an account whose statement is missing, up to the given one. */
const missing = async (tx: Tx, fundAccountNo: string, upTo: EatDate): Promise<EatDate[]> => {
  const { last } = await tx.one(sql<{ last: EatDate | null }>`
    select max(statement_date) as last from statement where fund_account_no = ${fundAccountNo}`)
  const from = last === null ? upTo : [addDays(last, 1), addDays(upTo, 1 - mostDays)].sort().at(-1)
  const days: EatDate[] = []
  for (let day = String(from); day <= upTo; day = addDays(day, 1)) days.push(day)
  return days
}

const fetchJob = (gateways: Gateways): Scheduled => ({
  job: 'statement.fetch',
  every: { dailyAt: '05:30' },
  async run(tx, { date }) {
    let asked = 0
    for (const { account, readers } of await accounts(tx, gateways)) {
      if (readers.length === 0) continue
      for (const day of await missing(tx, account.fundAccountNo, addDays(date, -1))) {
        const { fundAccountNo } = account
        await enqueue(tx, 'statement.fetch', `${fundAccountNo}:${day}:${date}`, { fundAccountNo, date: day })
        asked += 1
      }
    }
    return { asked }
  },
})

/** Reads the statement of a closed day and has the account compared with it. */
const fetchQueue = (gateways: Gateways) =>
  network<Asked, Statement>({
    queue: 'statement.fetch',
    async before(tx, { payload }) {
      const { fundAccountNo, date } = payload as { fundAccountNo: string; date: EatDate }
      const found = (await accounts(tx, gateways)).find(({ account }) => account.fundAccountNo === fundAccountNo)
      return found && found.readers.length > 0 && date < eatDate(tx.now) ? { ...found, date } : null
    },
    send: async ({ readers, date }) => joined(await Promise.all(readers.map(read => read(date)))),
    async after(tx, { account, date }, statement) {
      const { fundAccountNo, channel } = account
      await lockRecon(tx, fundAccountNo)
      const taken = { fundAccountNo, channel, date, statement, source: 'channel' as const }
      const { statementNo } = await takeStatement(tx, taken, system(newRequestId()))
      await runRecon(tx, fundAccountNo, date, statementNo ?? newRequestId())
    },
  })

/** Compares every account with yesterday's statement, also where none came. */
const runJob = (gateways: Gateways): Scheduled => ({
  job: 'recon.run',
  every: { dailyAt: '06:00' },
  async run(tx, { date }) {
    const own = (await accounts(tx, gateways)).filter(({ readers }) => readers.length > 0)
    for (const { account } of own) await runRecon(tx, account.fundAccountNo, addDays(date, -1), date)
    return { accounts: own.length }
  },
})

/** Statements of our accounts, and whether the books agree with them. */
export const statementModule = (gateways: Gateways): Module => ({
  served: [],
  queues: [fetchQueue(gateways), reconQueue],
  scheduled: [fetchJob(gateways), runJob(gateways)],
})
