import { Unreadable } from '../../files/imports/read/unreadable.ts'
import { GatewayUnavailable, type ReadStatement } from '../gateway.ts'
import { type BankStatement, readCamt053 } from './camt-053.ts'
import type { BankFolders } from './folders.ts'

/** The number of statements searched for a day: banks deliver one a day, and older ones are never needed. */
const most = 100

/**
 * The statements that a bank lays down for an account of ours: the newest of the day. Throws {@link GatewayUnavailable}
 * while there is none, and names the file that could not be read where there is one.
 */
export const bankStatement =
  (
    folders: BankFolders,
    { fundAccountNo, accountNumber }: { fundAccountNo: string; accountNumber: string },
  ): ReadStatement =>
  async date => {
    let torn: string | undefined
    let seen = 0
    for await (const { fileName, bytes } of folders.statements(fundAccountNo)) {
      seen += 1
      if (seen > most) break
      const read = await readCamt053(bytes).catch((error: unknown): BankStatement[] => {
        if (!(error instanceof Unreadable)) throw error
        torn ??= fileName
        return []
      })
      const found = read.find(one => one.accountNumber === accountNumber && one.date === date)
      if (found) return { opening: found.opening, closing: found.closing, lines: found.lines }
    }
    const why = torn ? `${torn} cannot be read` : 'there is none'
    throw new GatewayUnavailable(`statement of ${accountNumber} of ${date}: ${why}`)
  }
