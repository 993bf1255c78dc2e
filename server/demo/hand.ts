import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { Endpoint, InputOf, OutputOf } from '../../core/contract/endpoint.ts'
import { eatDate } from '../../core/rules/time.ts'
import type { Tx } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import type { Audit, Call, Request } from '../http/serve.ts'
import type { Module, NetworkHandler } from '../module.ts'
import { writeAudit } from '../rights/audit-rows.ts'
import { actorOf, type Session } from '../session/session.ts'

/** The same transaction at another moment of the business clock. */
export const at = (tx: Tx, now: Date): Tx => ({ ...tx, now, today: eatDate(now) })

const request = (headers: Record<string, string> = {}, body = ''): Request => ({
  requestId: randomUUID(),
  ip: '10.1.2.3',
  browser: 'demo',
  language: 'en',
  headers: new Headers(headers),
  body,
  atPartner: false,
})

/** Calls the real commands of the server, inside a transaction that is already open, as the people of the demo. */
export const handFor = (modules: readonly Module[]) => {
  const served = new Map(modules.flatMap(module => module.served).map(one => [one.endpoint, one]))
  const queues = new Map(
    modules
      .flatMap(module => module.queues ?? [])
      .map(one => [one.queue, one as unknown as NetworkHandler<unknown, unknown>]),
  )

  const call = async <E extends Endpoint>(
    tx: Tx,
    session: Session | null,
    endpoint: E,
    input: InputOf<E>,
    headers?: Record<string, string>,
    body?: string,
  ): Promise<OutputOf<E>> => {
    const one = served.get(endpoint)
    if (!one) throw new Error(`${endpoint.path} is not served`)
    const asked = request(headers, body)
    const lines: Audit[] = []
    const actor = session
      ? actorOf(session, asked)
      : { no: 'anonymous', name: 'anonymous', requestId: asked.requestId, ip: asked.ip }
    const made = {
      tx,
      session,
      actor,
      request: asked,
      input: (endpoint.input as z.ZodType).parse(input),
      audit: (line: Audit) => void lines.push(line),
      proven: async () => undefined,
    } as unknown as Call<never>
    let answer: unknown
    if (one.kind === 'each') {
      const prepared = await one.prepare?.(made)
      for (const id of one.ids(made.input, prepared as never)) await one.handle(id, made, prepared as never)
    } else if (one.kind === 'work') {
      const done = await one.work((await one.before(made)) as never, asked)
      answer = await one.handle(made, done as never)
    } else if (one.kind === 'signed') {
      const signer = (await one.signer(tx, asked)) as never
      const prepared = await one.slow?.before(made, signer)
      answer = await one.handle(made, signer, (await one.slow?.work(prepared as never, asked)) as never)
    } else answer = await one.handle(made)
    if (answer instanceof Fault) throw answer
    if (endpoint.audit)
      writeAudit(tx, { action: endpoint.audit, path: endpoint.path, actor: (made as Call).actor }, lines)
    return answer as OutputOf<E>
  }

  /** One round of network work, with the answer that the network would have given. */
  const network = async (tx: Tx, queue: string, jobKey: string, payload: Record<string, unknown>, answer: unknown) => {
    const prepared = await queues.get(queue)?.before(tx, { jobKey, payload })
    if (prepared) await queues.get(queue)?.after(tx, prepared, answer)
  }
  return { call, network }
}
export type Hand = ReturnType<typeof handFor>
