import { stat } from 'node:fs/promises'
import { writeAudit } from '../rights/audit-rows.ts'
import { actorOf, type Session } from '../session/session.ts'
import { notFound } from './fault.ts'
import { type Answered, actorIn, type Deps, keeping } from './kept.ts'
import { runningEach } from './run-each.ts'
import { running } from './run-once.ts'
import { workingWith } from './run-work.ts'
import type { Audit, Call, Download, PublicCall, Request, Served } from './serve.ts'

/** What goes out: an envelope, a file, or the way to somewhere else. */
export type Reply = Answered | { file: Download } | { location: string }

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    found => found.isFile(),
    () => false,
  )

/** Commits the handler's audit rows, then sends the file. They stay when the transfer fails. */
const downloading =
  ({ db }: Deps) =>
  async (
    one: Extract<Served, { kind: 'file' }>,
    held: { session: Session; request: Request; input: unknown },
  ): Promise<Reply> => {
    const actor = actorOf(held.session, held.request)
    const file = await db.withTx(tx => {
      const audit = (line: Audit) => writeAudit(tx, { action: one.action, path: one.endpoint.path, actor }, [line])
      return one.handle({ ...held, tx, actor, audit } as unknown as Call<never>)
    })
    if ('path' in file && !(await isThere(file.path))) throw notFound()
    return { file }
  }

/** Sends a file to any caller; nothing is noted. */
const fetching =
  ({ db }: Deps) =>
  async (one: Extract<Served, { kind: 'publicFile' }>, held: { request: Request; input: unknown }): Promise<Reply> => {
    const actor = actorIn(held)
    const file = await db.withTx(tx =>
      one.handle({ ...held, tx, actor, audit: () => undefined } as unknown as PublicCall<never>),
    )
    if ('path' in file && !(await isThere(file.path))) throw notFound()
    return { file }
  }

/** Leads any caller on. */
const leading =
  ({ db }: Deps) =>
  async (one: Extract<Served, { kind: 'publicLink' }>, held: { request: Request; input: unknown }): Promise<Reply> => {
    const actor = actorIn(held)
    const call = { ...held, actor, audit: () => undefined }
    return { location: await db.withTx(tx => one.handle({ ...call, tx } as unknown as PublicCall<never>)) }
  }

/** Runs handlers: their transactions, audit rows, keys and answers. */
export const runner = (deps: Deps) => {
  const kept = keeping(deps)
  const once = running(deps, kept)
  const worked = workingWith(deps, kept, once)
  return {
    once,
    worked,
    each: runningEach(deps, { kept, once, worked }),
    download: downloading(deps),
    fetch: fetching(deps),
    lead: leading(deps),
  }
}
