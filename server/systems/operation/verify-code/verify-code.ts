import { sql } from 'kysely'
import { serveListed } from '../../../lists/listed.ts'
import type { Deps, Module } from '../../../module.ts'
import type { LetterMaker } from '../../../outgoing/post.ts'
import { noVendors } from '../../../outgoing/vendors.ts'
import { codesOf } from './code.ts'
import { codeList, readServed } from './code-list.ts'
import { commandsServed } from './commands.ts'
import { budgetWatch } from './limits.ts'
import { codeClock, moves } from './moves.ts'

/** A code that has ended meanwhile is not sent. */
const stillWanted: LetterMaker = async (tx, { objectNo }) =>
  (await tx.maybe(
    sql`select 1 from verify_code where code_no = ${objectNo} and code_status = 'sent' and expires_time > ${tx.now}`,
  ))
    ? {}
    : null

/** Codes by e-mail and text, and what staff do for those who get none. */
export const verifyCodeModule = ({ secretKey, vendors = noVendors }: Pick<Deps, 'secretKey' | 'vendors'>): Module => {
  const codes = codesOf(secretKey)
  const list = codeList(vendors)
  return {
    served: [serveListed(list), ...readServed, ...commandsServed(codes, vendors)],
    lists: [list],
    queues: [moves(codes, vendors)],
    scheduled: [codeClock, budgetWatch],
    letters: { code: stillWanted },
  }
}
