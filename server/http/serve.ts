import type { z } from 'zod'
import type { Endpoint, OutputOf, ParsedOf, Results, results } from '../../core/contract/endpoint.ts'
import type { Language } from '../../core/i18n/language.ts'
import type { Tx } from '../db/database.ts'
import type { Actor } from '../rights/actor.ts'
import type { Session } from '../session/session.ts'
import type { Fault } from './fault.ts'

/** One HTTP request as handlers see it, without the framework. */
export type Request = {
  requestId: string
  ip: string | null
  browser: string | null
  language: Language
  headers: Headers
  body: string
  /** The bytes of an endpoint that takes such, as they arrive. */
  stream?: ReadableStream<Uint8Array> | null
  /** When it arrived, in milliseconds. */
  arrived?: number
  /** Sent by a page of a partner, not by the console. */
  atPartner: boolean
}

/** One line of the audit log: what was done to which record. Sensitive values are masked by the code that names them. */
export type Audit = {
  objectType: string
  objectNo: string
  orderNo?: string
  before?: Record<string, unknown> | null
  after?: Record<string, unknown> | null
}

/** What a handler is given. All of it belongs to one transaction and ends with it. */
export type Call<I = unknown> = {
  input: I
  tx: Tx
  /** Present for staff calls; anonymous and merchant endpoints get theirs from `publicCall`. */
  session: Session
  actor: Actor
  request: Request
  audit: (line: Audit) => void
  /** Refuses with 40302 unless the caller has proven again who they are, for this operation code. */
  proven: (perm: string) => Promise<void>
}
/** The same for callers without a session. */
export type PublicCall<I = unknown> = Omit<Call<I>, 'session' | 'proven'>

/** A `Fault` that is returned instead of thrown refuses too, and keeps what was written: a failed sign-in is counted. */
type Answer<E extends Endpoint> = (z.input<E['output']> & OutputOf<E>) | Fault

/** A file to send, after its audit rows are committed. */
export type Download = ({ path: string } | { bytes: Buffer }) & { name: string; type: string; size: number }

/** A declared endpoint with its handler, by the kind that runs it; modules list these in `served`. */
export type Served =
  | { endpoint: Endpoint; kind: 'one'; handle: (call: Call<never>) => Promise<unknown> }
  | { endpoint: Endpoint; kind: 'public'; handle: (call: PublicCall<never>) => Promise<unknown> }
  | {
      endpoint: Endpoint
      kind: 'signed'
      signer: (tx: Tx, request: Request) => Promise<unknown>
      handle: (call: PublicCall<never>, signer: never, done: never) => Promise<unknown>
      refused?: (tx: Tx, request: Request, error: unknown) => Promise<void>
      slow?: {
        before: (call: PublicCall<never>, signer: never) => Promise<unknown>
        work: (prepared: never, request: Request) => Promise<unknown>
      }
    }
  | { endpoint: Endpoint; kind: 'file'; action: string; handle: (call: Call<never>) => Promise<Download> }
  | { endpoint: Endpoint; kind: 'publicFile'; handle: (call: PublicCall<never>) => Promise<Download> }
  | { endpoint: Endpoint; kind: 'publicLink'; handle: (call: PublicCall<never>) => Promise<string> }
  | {
      endpoint: Endpoint
      kind: 'work'
      before: (call: Call<never>) => Promise<unknown>
      work: (prepared: never, request: Request) => Promise<unknown>
      handle: (call: Call<never>, done: never) => Promise<unknown>
    }
  | {
      endpoint: Endpoint
      kind: 'each'
      prepare?: (call: Call<never>) => Promise<unknown>
      ids: (input: never, prepared: never) => readonly string[]
      handle: (id: string, call: Call<never>, prepared: never) => Promise<unknown>
      slow?: {
        before: (id: string, call: Call<never>) => Promise<unknown>
        work: (prepared: never, request: Request) => Promise<unknown>
      }
    }

/**
 * Mounts a staff endpoint: its handler runs in one transaction, after session, permission, input and idempotency.
 * Throw a {@link Fault} to refuse: nothing remains. Return one to refuse and keep what was written.
 * @example serve(repay.commit, async ({ tx, input, session, actor, audit }) => { … return { repaymentNo } })
 */
export const serve = <E extends Endpoint>(
  endpoint: E,
  handle: (call: Call<ParsedOf<E>>) => Promise<Answer<E>>,
): Served => ({ endpoint, kind: 'one', handle: handle as (call: Call<never>) => Promise<unknown> })

/** Mounts an endpoint without a session: signing in, intake, callbacks. */
export const servePublic = <E extends Endpoint>(
  endpoint: E,
  handle: (call: PublicCall<ParsedOf<E>>) => Promise<Answer<E>>,
): Served => ({ endpoint, kind: 'public', handle: handle as (call: PublicCall<never>) => Promise<unknown> })

/** Mounts an endpoint whose caller signs its body: the signature is checked before the input is parsed. */
export const serveSigned = <E extends Endpoint, S>(
  endpoint: E,
  o: {
    signer: (tx: Tx, request: Request) => Promise<S>
    handle: (call: PublicCall<ParsedOf<E>>, signer: S) => Promise<Answer<E>>
    /** Notes a call that was refused or went wrong, in a transaction of its own, since nothing of the call's remains. */
    refused?: (tx: Tx, request: Request, error: unknown) => Promise<void>
  },
): Served => ({
  endpoint,
  kind: 'signed',
  ...(o.refused ? { refused: o.refused } : {}),
  signer: o.signer,
  handle: o.handle as (call: PublicCall<never>, signer: never) => Promise<unknown>,
})

/** {@link serveWork} for an endpoint whose caller signs its body. */
export const serveSignedWork = <E extends Endpoint, S, P, D>(
  endpoint: E,
  o: {
    signer: (tx: Tx, request: Request) => Promise<S>
    before: (call: PublicCall<ParsedOf<E>>, signer: S) => Promise<P>
    work: (prepared: P, request: Request) => Promise<D>
    after: (call: PublicCall<ParsedOf<E>>, signer: S, done: D) => Promise<Answer<E>>
  },
): Served => ({
  endpoint,
  kind: 'signed',
  signer: o.signer,
  handle: o.after as never,
  slow: { before: o.before as never, work: o.work as never },
})

/** Mounts a staff endpoint that answers a file; its handler says which, and notes that it was taken. */
export const serveDownload = <E extends Endpoint>(
  endpoint: E,
  /** What the audit log calls it. */
  action: string,
  handle: (call: Call<ParsedOf<E>>) => Promise<Download>,
): Served => ({ endpoint, kind: 'file', action, handle: handle as (call: Call<never>) => Promise<Download> })

/** Mounts a file that anybody may fetch. */
export const servePublicDownload = <E extends Endpoint>(
  endpoint: E,
  handle: (call: PublicCall<ParsedOf<E>>) => Promise<Download>,
): Served => ({ endpoint, kind: 'publicFile', handle: handle as (call: PublicCall<never>) => Promise<Download> })

/** Mounts a link that anybody may open: its handler says where it leads (302). */
export const servePublicLink = <E extends Endpoint>(
  endpoint: E,
  handle: (call: PublicCall<ParsedOf<E>>) => Promise<string>,
): Served => ({ endpoint, kind: 'publicLink', handle: handle as (call: PublicCall<never>) => Promise<string> })

/**
 * Mounts a call that does something slow between two transactions: `before` checks and refuses, `work` holds no transaction,
 * `after` writes the result. Network, passwords and files belong into `work`: they throw inside a transaction.
 */
export const serveWork = <E extends Endpoint, P, D>(
  endpoint: E,
  o: {
    before: (call: Call<ParsedOf<E>>) => Promise<P>
    work: (prepared: P, request: Request) => Promise<D>
    after: (call: Call<ParsedOf<E>>, done: D) => Promise<Answer<E>>
  },
): Served => ({
  endpoint,
  kind: 'work',
  before: o.before as (call: Call<never>) => Promise<unknown>,
  work: o.work as (prepared: never, request: Request) => Promise<unknown>,
  handle: o.after as (call: Call<never>, done: never) => Promise<unknown>,
})

/** The same for an endpoint without a session. */
export const servePublicWork = <E extends Endpoint, P, D>(
  endpoint: E,
  o: {
    before: (call: PublicCall<ParsedOf<E>>) => Promise<P>
    work: (prepared: P, request: Request) => Promise<D>
    after: (call: PublicCall<ParsedOf<E>>, done: D) => Promise<Answer<E>>
  },
): Served => serveWork(endpoint, o)

/**
 * Mounts a command on several rows: one transaction and one line of the answer per row, refused rows are reported.
 * A row's `Fault` becomes its line; rows before and after it stay. Each row has an idempotency key of its own, derived from that of the call.
 */
export const serveEach = <E extends Endpoint<z.ZodType, typeof results>, P = undefined>(
  endpoint: E,
  o: {
    /** Runs once, before the rows, in a transaction of its own. */
    prepare?: (call: Call<ParsedOf<E>>) => Promise<P>
    ids: (input: ParsedOf<E>, prepared: P) => readonly string[]
    row: (id: string, call: Call<ParsedOf<E>>, prepared: P) => Promise<void>
  },
): Served => ({ endpoint, kind: 'each', prepare: o.prepare as never, ids: o.ids as never, handle: o.row as never })

/** {@link serveWork} for a command on several rows: each is checked, worked on without a transaction, and written. */
export const serveEachWork = <E extends Endpoint<z.ZodType, typeof results>, P, D>(
  endpoint: E,
  o: {
    ids: (input: ParsedOf<E>) => readonly string[]
    before: (id: string, call: Call<ParsedOf<E>>) => Promise<P>
    work: (prepared: P, request: Request) => Promise<D>
    after: (id: string, call: Call<ParsedOf<E>>, done: D) => Promise<void>
  },
): Served => ({
  endpoint,
  kind: 'each',
  ids: o.ids as never,
  handle: o.after as never,
  slow: { before: o.before as never, work: o.work as never },
})

/** The answer of a command on many rows: how many succeeded and failed, and the line of each. */
export const tally = (rows: Results['rows']): Results => ({
  ok: rows.filter(row => row.code === 0).length,
  fail: rows.filter(row => row.code !== 0).length,
  rows,
})
