import { type RawBuilder, sql } from 'kysely'
import { type BlockScope, covers, standardPhone } from '../../../../core/rules/contact/contact-block.ts'
import { waitsUntil } from '../../../approval/visible.ts'
import type { Tx } from '../../../db/database.ts'
import { SeenMeanwhile, violatedConstraint } from '../../../db/faults.ts'
import { Fault, notFound } from '../../../http/fault.ts'
import { newNo } from '../../../money/numbers.ts'
import type { Actor } from '../../../rights/actor.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { create, transition } from '../../../states/transition.ts'

/** The do-not-contact list, and the list of numbers that no marketing reaches. */
export type Book = 'contact' | 'tele'
export type Block = {
  blockNo: string
  blockStatus: string
  book: Book
  phone: string
  merchantNo: string | null
  blockScope: BlockScope
  blockReason: string | null
  blockSource: string
  createdTime: string
  version: number
}

/** What is said of a number that must not be contacted. */
export type BlockValues = {
  book: Book
  phone: string
  blockScope: BlockScope
  blockSource: string
  merchantNo?: string | null
  blockReason?: string | null
  reason?: string | null
  relation?: string | null
  linkedCustomerNo?: string | null
  sourceRef?: string | null
  expireTime?: string | null
  remark?: string | null
}

const pages: Readonly<Record<Book, string>> = { contact: 'contact:blacklist:page', tele: 'tele:blacklist:page' }

/** Entries that a person sees: those for all merchants, and those of their own; `alias` is the entry. */
export const blockSeen = (session: Session, alias: string, book: Book = 'contact'): RawBuilder<unknown> =>
  sql`(${sql.ref(`${alias}.merchant_no`)} is null or ${scope(session, { merchant: `${alias}.merchant_no`, holder: () => sql`true`, perm: pages[book] })})`

/** An entry that the reader sees, locked where it is to be changed. @throws notFound */
export const findBlock = async (
  tx: Tx,
  session: Session,
  book: Book,
  blockNo: string,
  lock: RawBuilder<unknown> = sql``,
): Promise<Block> => {
  const found = await tx.maybe(sql<Block>`
    select b.* from contact_block b where b.block_no = ${blockNo} and b.book = ${book} and ${blockSeen(session, 'b', book)} ${lock}`)
  if (!found) throw notFound()
  return found
}

/** An entry that the reader may change, locked: those for all merchants are headquarters'. */
export const lockBlock = async (tx: Tx, session: Session, book: Book, blockNo: string): Promise<Block> => {
  const block = await findBlock(tx, session, book, blockNo, sql`for update`)
  if (block.merchantNo === null && !session.headquarters) throw new Fault('forbidden', 'errors.headquartersOnly')
  if (await waitsUntil(tx, { objectType: 'contact_block', objectNo: blockNo }))
    throw new Fault('stateConflict', 'errors.approvalWaits')
  return block
}

type Of = Pick<BlockValues, 'book' | 'phone' | 'merchantNo' | 'blockReason'>
/** Entries of a number in force: those that its owner asked for, or those of the business. The one never stands for the other, which it may outlive. */
const activeOf = (tx: Tx, { book, phone, merchantNo, blockReason }: Of) =>
  tx.rows(sql<Block>`
    select * from contact_block where book = ${book} and phone = ${phone} and merchant_no is not distinct from ${merchantNo ?? null} and block_status = 'active'
      and coalesce(block_reason = 'asked_to_stop', false) = ${blockReason === 'asked_to_stop'} for update`)

/** Ends an entry; it is kept. */
export const endBlock = (tx: Tx, block: Block, reason: string, as: 'person' | 'system', actor: Actor) => {
  const set = { endedTime: tx.now, endedByName: actor.name, endReason: reason }
  return transition(tx, 'contactBlock', block, { event: 'block.end', as, set, payload: { reason } }, actor)
}

/** Narrower entries of the same number say nothing any more beside a wider one. */
export const endCovered = async (tx: Tx, by: BlockValues, but: string, actor: Actor): Promise<void> => {
  for (const one of await activeOf(tx, by))
    if (one.blockNo !== but && covers(by.blockScope, one.blockScope))
      await endBlock(tx, one, 'errors.blockCovered', 'system', actor)
}

/**
 * Blocks a number. Stops of messages, robots and people follow at once: they ask before each contact.
 * @returns the number of the entry; null where an entry as wide is in force
 */
export const putBlock = async (
  tx: Tx,
  values: BlockValues,
  as: 'person' | 'system',
  actor: Actor,
): Promise<string | null> => {
  const there = await activeOf(tx, values)
  if (there.some(one => covers(one.blockScope, values.blockScope))) return null
  const blockNo = newNo('CB', tx.now)
  const row = { blockNo, ...values, createdBy: actor.no, createdByName: actor.name, createdTime: tx.now }
  try {
    await create(tx, 'contactBlock', row, { event: 'block.add', as }, actor)
  } catch (error) {
    throw violatedConstraint(error) === 'contact_block_active' ? new SeenMeanwhile(blockNo, { cause: error }) : error
  }
  await endCovered(tx, values, blockNo, actor)
  return blockNo
}

/** Whether a number is one that a customer registered. */
export const isOwn = async (tx: Tx, phone: string): Promise<boolean> =>
  (await tx.maybe(sql`
    select 1 from customer where phone = ${phone} union all select 1 from merchant_customer where phone = ${phone} limit 1`)) !==
  undefined

type Outcome = 'added' | 'exists' | 'format' | 'own' | 'waits'
export type Added = { value: string; outcome: Outcome; blockNos: string[] }

/**
 * Blocks typed numbers in each of some scopes. `hold` says of a number and a scope that it is refused or waits for a second person;
 * what waits is not written.
 */
export const addNumbers = async (
  tx: Tx,
  numbers: readonly string[],
  values: Omit<BlockValues, 'phone' | 'blockScope'>,
  scopes: readonly BlockScope[],
  actor: Actor,
  hold: (phone: string, scope: BlockScope) => Promise<'own' | 'waits' | null> = async () => null,
): Promise<Added[]> => {
  const wide = scopes.includes('all') ? (['all'] as const) : scopes
  const results: Added[] = []
  for (const value of numbers) {
    const phone = standardPhone(value)
    const found: Added = { value, outcome: phone ? 'exists' : 'format', blockNos: [] }
    results.push(found)
    if (!phone) continue
    for (const blockScope of wide) {
      const held = await hold(phone, blockScope)
      if (held) found.outcome = held
      if (held) continue
      const blockNo = await putBlock(tx, { ...values, phone, blockScope }, 'person', actor)
      if (!blockNo) continue
      found.blockNos.push(blockNo)
      if (found.outcome === 'exists') found.outcome = 'added'
    }
  }
  return results
}
