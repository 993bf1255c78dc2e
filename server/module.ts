import type { Clock } from './db/clock.ts'
import type { Database, Tx } from './db/database.ts'
import type { Importable } from './files/imports/store.ts'
import type { UploadDeps } from './files/uploads/deps.ts'
import type { BankFolders } from './gateways/bank/folders.ts'
import type { BvnService } from './gateways/bvn/bvn-service.ts'
import type { Channels, CollectGateway, PayoutGateway } from './gateways/gateway.ts'
import type { ScoreService } from './gateways/score/score-service.ts'
import type { SmppLines } from './gateways/texts/smpp/smpp-lines.ts'
import type { Served } from './http/serve.ts'
import type { Step } from './jobs/scheduler.ts'
import type { Listed } from './lists/listed.ts'
import type { Log } from './log.ts'
import type { OutgoingHooks } from './outgoing/hooks.ts'
import type { LetterMakers } from './outgoing/post.ts'
import type { Vendors } from './outgoing/vendors.ts'
import type { Actor } from './rights/actor.ts'
import type { Session } from './session/session.ts'
import type { WarningRule } from './warnings/rule.ts'

/** What the modules are given from outside; tests give their own. */
export type Deps = {
  clock: Clock
  payout: Channels<PayoutGateway>
  collect: Channels<CollectGateway>
  /** Who holds a verification number; without it nobody is asked. */
  bvn?: BvnService
  /** Scores of models that run elsewhere; without it there are none. */
  score?: ScoreService
  /** The folders shared with banks; without them people carry the files. */
  bank?: BankFolders
  demo: boolean
  /** Address of the page that shows the letters and texts of a demo. */
  inbox?: string
  /** Where files for staff lie until they expire. */
  exportDir: string
  uploads: UploadDeps
  /** Where files that staff brought are read, and lie with their results until they expire. */
  importDir: string
  /** What carries letters and texts out of the company; without it they wait. */
  vendors?: Vendors
  /** Where the console is reached from outside, as links in letters name it. */
  address?: string
  /** Where a handler says what it could not do and went on without; nowhere when absent. */
  log?: Log
  /** Lines to vendors of texts by SMPP; without them each is opened when a text goes, and nothing is heard on it. */
  lines?: SmppLines
  /** Root of keyed hashes and sealed values. */
  secretKey: Buffer
}

/** An action held for a second person: `execute` runs when the checker approves, with its guards asked again. */
export type ApprovalAction = {
  action: string
  /** Code of the maker; the checker holds `<perm>:check`. */
  perm: string
  /** It is about money: the checker proves again who they are. */
  money: boolean
  execute: (
    tx: Tx,
    o: { objectNo: string; payload: Record<string, unknown>; maker: Actor; checker: Actor },
  ) => Promise<void>
  /** Undoes what waited for the decision, when nobody agreed: `by` rejected it, took it back, or is the clock. */
  drop?: (
    tx: Tx,
    o: { objectNo: string; payload: Record<string, unknown>; how: 'rejected' | 'withdrawn' | 'expired'; by: Actor },
  ) => Promise<void>
}

/** Work taken from the job table; runs in one transaction with its completion. */
export type QueueHandler = {
  queue: string
  handle: (tx: Tx, job: { jobKey: string; payload: Record<string, unknown> }) => Promise<void>
}

/** Work outside of the database: `before` commits what will be done, `send` talks to a network or writes files, `after` commits the result. No transaction is open during `send`. */
export type NetworkHandler<P = unknown, A = unknown> = {
  queue: string
  before: (tx: Tx, job: { jobKey: string; payload: Record<string, unknown> }) => Promise<P | null>
  send: (prepared: P) => Promise<A>
  after: (tx: Tx, prepared: P, answer: A) => Promise<void>
  /** Work in rounds: whether another one follows at once. */
  again?: (prepared: P, answer: A) => boolean
  /** It waits for a stranger who may be slow. */
  waits?: true
}

/** Work in many small transactions: `step` does the next part of it and answers whether there is more. A crash loses no part that was done, and does none twice. */
export type StepHandler = {
  queue: string
  step: (tx: Tx, job: { jobKey: string; payload: Record<string, unknown> }) => Promise<boolean>
}

/** Something that happens by the clock: every n seconds, or once per business date at a time of the EAT day. */
export type Scheduled = {
  job: string
  every: { seconds: number } | { dailyAt: `${number}:${number}` }
  run: (tx: Tx, slot: { date: string }) => Promise<Record<string, number>>
}

/** Work of a business date on many rows: one chunk a transaction, each committed with where the next one begins. */
export type Chunked = {
  job: string
  dailyAt: `${number}:${number}`
  chunk: (tx: Tx, run: { date: string; cursor: string | null }) => Promise<Step>
}

export type AnyHandler = QueueHandler | StepHandler | NetworkHandler<never, never>

/** A column that holds values of a dictionary or base type which people maintain; `key` names its records. */
export type HeldValue = { dict: string; kind: string; table: string; column: string; key: string }

/** Records that a field of the kind `option` is chosen from; what may not be chosen any more keeps its words. */
export type Choices = {
  key: string
  list: (at: { tx: Tx; session: Session }) => Promise<readonly { value: string; label: string; enabled: boolean }[]>
}

export type Module = {
  served: readonly Served[]
  /** Columns of its tables whose values people maintain. */
  holds?: readonly HeldValue[]
  /** Records that people choose from, by the key of their options. */
  choices?: readonly Choices[]
  queues?: readonly AnyHandler[]
  scheduled?: readonly Scheduled[]
  chunked?: readonly Chunked[]
  approvals?: readonly ApprovalAction[]
  /** Conditions that duty leads are warned of. */
  warnings?: readonly WarningRule[]
  /** Values of letters that are made when they are sent, by the template. */
  letters?: LetterMakers
  /** Whether messages go, and what follows when one is lost. */
  outgoing?: OutgoingHooks
  /** Listens to those who speak to us by themselves, from the start of the server to its end. */
  listens?: (db: Database) => { stop: () => void }
  /** Lists that can be added up or written to files. */
  lists?: readonly Listed[]
  /** Lists that take files in. */
  imports?: readonly Importable[]
}
