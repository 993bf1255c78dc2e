// The library of pictures has to be loaded here before a thread loads it: it stays for as long as any thread does.
import 'sharp'
import { apart, type ThreadLimits, TooMuch } from '../apart.ts'
import { BadFile } from './content/bad.ts'
import type { Inspected } from './content/inspected.ts'
import type { Refusal } from './store.ts'

/** What the inspector thread is asked: the bytes, and the extension that they claim. */
export type Question = { extension: string; bytes: Uint8Array }
/** What it answers: the file as it may be stored, or why it is refused. */
export type Answer =
  | { inspected: Omit<Inspected, 'bytes'> & { bytes: Uint8Array } }
  | { refusal: Refusal; detail: string }

const limits: ThreadLimits = { memoryMb: 192, longestMs: 30_000 }

/** Looks into a file in a thread of its own with a limit of memory and of time. @throws {BadFile} */
export const inspectApart = async (
  extension: string,
  bytes: Uint8Array,
  o: Partial<ThreadLimits> = {},
): Promise<Inspected> => {
  const question: Question = { extension, bytes }
  const answer = await apart<Answer>('upload-inspector', question, { ...limits, ...o }).catch((error: unknown) => {
    throw error instanceof TooMuch ? new BadFile('unpacked', error.message) : error
  })
  if ('refusal' in answer) throw new BadFile(answer.refusal, answer.detail)
  const { inspected } = answer
  return { ...inspected, bytes: Buffer.from(inspected.bytes) }
}
