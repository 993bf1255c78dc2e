import type { RawBuilder } from 'kysely'
import type { Endpoint, ListEndpoint } from '../../core/contract/endpoint.ts'
import type { MachineName } from '../../core/rules/machines/machines.ts'
import type { Fixture, MerchantNo } from '../../tests/contract/fixture.ts'
import type { Heard } from '../../tests/contract/http.ts'
import type { Input } from '../../tests/contract/inputs.ts'
import type { Resource } from '../../tests/races/resource.ts'
import type { Tx } from '../db/database.ts'
import type { Person } from './kit.ts'

export type { Fixture, MerchantNo } from '../../tests/contract/fixture.ts'
export type { Input } from '../../tests/contract/inputs.ts'

export type Row = Record<string, unknown>

/** What is known of a machine whose rows `transition` moves. */
export type MachineFacts = {
  /** The least that its table takes besides the status; what it names is written by `around`. */
  row: Row
  /** Legal rows, `from event to`, that nothing goes along through HTTP, by the reason. */
  undriven?: Readonly<Record<string, readonly string[]>>
}

/** A record in a state from which a command succeeds: its number in its machine, and what the command is asked with. */
export type Made = { no: string; input: Input; as?: Person }

/** A command of staff that fires an event on a record. */
export type CommandFacts = {
  call: Endpoint
  make: (fixture: Fixture) => Promise<Made>
  /** What it writes where that is not the event that its button asks for, and why. */
  fires?: { machine: string; event: string; why: string }
  /** How it is raced: what keeps it besides the lock of its row and its version. */
  race?: {
    /** It may be done again and again: it leaves the record where it is. */
    again?: true
    /** Constraints and indexes that hold it too, by the statements that drop them. */
    drop?: readonly string[]
    /** Where those who come together wait for one another. */
    at?: RegExp
    /** What holds it even then. */
    alsoBy?: string
  }
}

/** A command that makes a record. */
export type BeginningFacts = { call: Endpoint; input: (fixture: Fixture) => Promise<Input> | Input }

/** A way along rows that no single command passes, by HTTP and by what follows of itself. */
export type Way = { name: string; walk: (fixture: Fixture) => Promise<void> }

/** How the first person asks for an action that a second one must agree to. */
export type ApprovalFacts = { action: string; ask: (fixture: Fixture) => Promise<string> }

/** What a paging list is filled from: an unpaid order, a repaid one. */
export type Filling = { waiting: string; paid: string }

export type ListFacts = {
  list: ListEndpoint
  /** The column that tells rows apart where nothing else does. */
  key: string
  /** Whose its rows are: a merchant's (the default), a person's, or ours whatever the merchant. */
  of?: 'person' | 'company'
  /** The column of the record whose merchant it is, where that is not the key. */
  ownedBy?: string
  /** What the list must be asked for. */
  asked?: (at: Filling) => Row
  /** Writes more than two pages of rows, with ties and gaps in what they are ordered by; all that there may be where `most` says how many. */
  fill?: (fixture: Fixture, at: Filling) => Promise<void>
  /** Columns that show less than they are ordered by. */
  coarse?: readonly string[]
  /** What filters mean that are more than a comparison with their column. */
  means?: Readonly<Record<string, (row: Row, value: never) => boolean>>
  /** Writes last what makes texts differ in case, accents and emptiness. */
  mix?: (fixture: Fixture) => Promise<void>
  /** How many rows the database itself allows, where they never fill a page. */
  most?: number
  /** Other rows refer to these, which are filled before. */
  first?: true
  /** What its rows hold that it does not show, or only masked, by a column that both have. */
  holds?: { key: string; query: RawBuilder<unknown> }
}

/** A repaid order. */
export type Paid = { orderNo: string; loanCode: string; repaymentNo: string }

/** A record as inputs name it. */
export type RecordFacts = {
  /** Input fields that hold its number, or several of them. */
  fields: readonly string[]
  table: string
  key: string
  /** The calls that mean it by that field, where other nouns have a field of that name: how their paths begin. */
  under?: string
  /** Makes one of a merchant; `paid` is a repaid order of it. */
  make?: (fixture: Fixture, merchantNo: MerchantNo, paid: Paid) => Promise<string>
  /** `no`, `merchant_no` and the people who hold it (`holders`), read without any rule; left out where it is a person's or ours. */
  owners?: RawBuilder<unknown>
  /** It is nobody's work: people who are limited to their own work, or their department's, see those of the merchants they serve. */
  unheld?: true
}

/** What a call is besides its declaration. */
export type CallFacts = {
  call: Endpoint
  /** It looks at no record and shows none: why nobody's scope says anything about it. */
  about?: string
  /** What its input needs for its record to be looked at; `made` are records by their fields. */
  needs?: (at: { as: Person; made: Readonly<Record<string, string>> }) => Input
  /** Leaves out, or names, records out of reach instead of refusing all: whether an answer does. */
  leavesOut?: (heard: Heard) => boolean
  /** Refusals that must be remembered, and what remembers them. */
  remembers?: string
  /** It may end the session of the caller. */
  ends?: true
  /** Why its event is asked for under another code than its row. */
  otherPerm?: string
  /** Why it fires an event and leaves no line in the audit log. */
  silent?: string
}

/** What the suites that cut across cannot derive of a noun; it lies with the noun as `<noun>.facts.ts`. */
export type Facts = {
  machines?: Partial<Record<MachineName, MachineFacts>>
  /** Writes what the rows of machines name. */
  around?: (tx: Tx) => Promise<void>
  commands?: readonly CommandFacts[]
  beginnings?: readonly BeginningFacts[]
  ways?: readonly Way[]
  approvals?: readonly ApprovalFacts[]
  lists?: readonly ListFacts[]
  records?: readonly RecordFacts[]
  calls?: readonly CallFacts[]
  /** Columns that are called a status and that no machine guards, `table.column`, and what writes them. */
  unguarded?: Readonly<Record<string, string>>
  /** Of what there is only so much. */
  races?: readonly Resource[]
}

export const facts = (given: Facts): Facts => given

export const way = (name: string, walk: Way['walk']): Way => ({ name, walk })
