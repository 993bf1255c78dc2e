import { apart, type ThreadLimits, TooMuch } from '../../apart.ts'
import type { Read, Reading } from '../spool.ts'
import { bounds, type FailParams, type ImportFail, Unreadable } from './unreadable.ts'

/** What the reader thread answers: what it read, or why it could not. */
export type Answer = { read: Read } | { why: ImportFail; params: FailParams }

const limits: ThreadLimits = { memoryMb: 192, longestMs: 45_000 }

/** Reads a file in a thread of its own with a limit of memory and of time. @throws {Unreadable} */
export const readFile = async (reading: Reading, o: Partial<ThreadLimits> = {}): Promise<Read> => {
  const answer = await apart<Answer>('import-reader', reading, { ...limits, ...o }).catch((error: unknown) => {
    throw error instanceof TooMuch ? new Unreadable('too_big', { max: bounds.unpacked }) : error
  })
  if ('read' in answer) return answer.read
  throw new Unreadable(answer.why, answer.params)
}
