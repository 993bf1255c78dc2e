import { sql } from 'kysely'
import { codes } from '../core/contract/codes.ts'
import type { Database } from '../server/db/database.ts'
import { notKept } from '../server/http/kept.ts'

type Call = { caller: string; key: string }
type Stored = Call & { answer: string | null }
export type Flaw =
  | (Call & { flaw: 'forgotten' | 'answered otherwise' })
  | { action: string; flaw: 'lost' | 'done twice'; sent: number; acknowledged: number; done: number }

/** Answers to unknown callers, to unreadable bodies, and of a server that broke: none of these needs to be kept under a key. */
const passing: readonly number[] = [codes.signedOut, codes.validation, codes.tooMany, codes.internal]

/**
 * What callers know, kept outside of the server: the keys that they sent and the answers that they got. `flaws` compares it
 * with the database (V9): an acknowledged key is there with the same bytes, and a command was done at least as often as
 * it was acknowledged and at most as often as different keys were sent for it. For commands of one transaction: a batch that is
 * taken up again goes on under another request.
 */
export const keyJournal = () => {
  const sent = new Map<string, Map<string, Call>>()
  const heard = new Map<string, Call & { action: string; text: string }>()
  const idOf = ({ caller, key }: Call) => `${caller} ${key}`

  return {
    /** Before a call goes out; `action` is what its command is called in the audit log. */
    sends(call: Call & { action: string }) {
      const own = sent.get(call.action) ?? new Map<string, Call>()
      sent.set(call.action, own.set(idOf(call), call))
    },
    /** When its answer is there, as the bytes that came. */
    hears(call: Call & { action: string }, text: string) {
      const { code } = JSON.parse(text) as { code: number }
      if (!passing.includes(code) && !notKept.has(code)) heard.set(idOf(call), { ...call, text })
    },
    async flaws(db: Pick<Database, 'read'>): Promise<Flaw[]> {
      const stored = await db.read(tx =>
        tx.rows(sql<Stored>`select caller, idempotency_key as key, answer from idempotency`),
      )
      const answers = new Map(stored.map(row => [idOf(row), row.answer]))
      const forgotten = [...heard.values()].flatMap(({ caller, key, text }): Flaw[] => {
        const answer = answers.get(idOf({ caller, key }))
        if (answer === text) return []
        return [{ caller, key, flaw: answer == null ? 'forgotten' : 'answered otherwise' }]
      })
      const done = await db.read(tx =>
        tx.rows(sql<{ action: string; requests: number }>`
          select action, count(distinct request_id)::int as requests from audit_log where action = any(${[...sent.keys()]}) group by action`),
      )
      const counted = [...sent].flatMap(([action, calls]): Flaw[] => {
        const requests = done.find(row => row.action === action)?.requests ?? 0
        const acknowledged = [...heard.values()].filter(one => one.action === action && isDone(one.text)).length
        const count = { action, sent: calls.size, acknowledged, done: requests }
        if (requests < acknowledged) return [{ ...count, flaw: 'lost' }]
        return requests > calls.size ? [{ ...count, flaw: 'done twice' }] : []
      })
      return [...forgotten, ...counted]
    },
  }
}

const isDone = (text: string): boolean => (JSON.parse(text) as { code: number }).code === codes.ok
