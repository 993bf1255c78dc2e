import type { ComponentType, ReactNode } from 'react'
import type { z } from 'zod'
import type { ListState } from '../client/url-state.ts'
import type { Endpoint, FiltersOf, InputOf, ListEndpoint, RowOf } from '../contract/endpoint.ts'
import type { Params } from '../i18n/engine.ts'
import type { Key } from '../i18n/index.ts'

/** What a widget shows, and the calls it makes: from these follow its docs, its mocks and the rights it needs. */
export type Screen = {
  calls: readonly Endpoint[]
  render: () => ReactNode
  /** Calls whose words its first drawing says, where parts that come later fetch the words of the others. */
  first?: readonly Endpoint[]
  /** The call that it begins with under an address, so that it can be sent before anything is drawn. */
  opening?: (given: Readonly<Record<string, unknown>> | undefined) => { call: Endpoint; input: Record<string, unknown> }
}

/** A list endpoint as the engine sees it. */
export type Listed = Endpoint & {
  row: z.ZodObject
  filters: z.ZodRawShape
  sort: readonly string[]
  defaultSort: string
  totalling?: ListEndpoint['totalling']
  exporting?: ListEndpoint['exporting']
  importing?: ListEndpoint['importing']
}
type Name<T> = Extract<keyof T, string>

/** A field of the row, drawn by its kind; with `cell`, drawn by the screen. */
export type Column<R> =
  | Name<R>
  | { id: Name<R>; width?: number; cell?: (row: R) => ReactNode }
  | { id: string; label: Key; width?: number; cell: (row: R) => ReactNode }

/** A text, with the values of its places. */
export type Words = Key | { key: Key; params: Params }

/** Puts another value into a field of the dialog. */
export type Put = (name: string, value: unknown) => void

type Common<R> = {
  label: Key
  tone?: 'danger'
  /** Rows it applies to, or why one is not among them; others keep the button off, and in a bulk they are left out and named. */
  when?: (row: R) => boolean | Key
  /** A key that does it to the row at the cursor. */
  shortcut?: 'acknowledge'
}

/** A command on rows. Its permission decides whether the button exists, its machine whether it is enabled, its schema builds the dialog. */
export type CallAction<R> = Common<R> & {
  run: Endpoint
  /** Fields asked for before the call. */
  ask?: readonly string[]
  /**
   * What the fields begin with where the dialog is about one row: its own values, those that a read of it answers, or what the screen
   * says. What the reader sees only in part is left empty.
   */
  from?: 'row' | Endpoint | ((rows: readonly R[]) => object)
  /** Each field has a tick, and only what is ticked is asked for and sent: the same change to many rows. */
  ticks?: true
  /** What the call is given besides the answers; the rows' keys (and version) by default. */
  input?: (rows: readonly R[]) => object
  /** For sheets: the dialog is as wide as the window allows. */
  wide?: true
  /** Below the fields: what follows from what they hold. */
  preview?: (values: Readonly<Record<string, unknown>>, rows: readonly R[], put: Put) => ReactNode
  /** What the button of the dialog says; by default what the action is called. */
  button?: Key
  /** Asked before the call; names the numbers it will act on, and may say how many were left out. A key may name any field of the row: amounts are summed. */
  confirm?: Key | ((rows: readonly R[], left: number) => Words)
  /** What the toast says afterwards; by default that it was done, or how many were. */
  done?: Key | ((answer: unknown) => Words)
}
/** A row that an action on several leaves out, and why. */
export type LeftOut = { key: string; reason: string }

/** What a dialog of a screen's own is given: the rows it was opened for, the chosen ones left out, and the way to close it, with `true` when it changed them. */
export type DialogProps<R> = {
  rows: readonly [R, ...R[]]
  left?: readonly LeftOut[]
  close: (changed?: boolean) => void
}

/** An action that is a component of the screen: a form of its own, or a page to go to. */
export type OwnAction<R> = Common<R> & { needs?: Pick<Endpoint, 'perm' | 'anyPerm' | 'on' | 'audit'> } & (
    | { dialog: ComponentType<DialogProps<R>> }
    | { go: (row: R) => { to: string; query: Record<string, string> } }
    | { press: (rows: readonly R[]) => void }
  )
/** Anything that a row, a selection or a toolbar offers. */
export type Action<R> = CallAction<R> | OwnAction<R>

/** An action asks for something or says what it is about to do: no dialog is empty. */
export type Act<R> = <E extends Endpoint>(
  run: E,
  action: Omit<CallAction<R>, 'run' | 'ask' | 'input' | 'confirm'> & {
    input?: (rows: readonly R[]) => Partial<InputOf<E>>
  } & (
      | { ask: readonly Name<InputOf<E>>[]; confirm?: CallAction<R>['confirm'] }
      | { ask?: never; confirm: NonNullable<CallAction<R>['confirm']> }
    ),
) => CallAction<R>

/** The declaration of a list screen. Names are columns and filters of the list, checked by type. */
export type ListScreen<E extends Listed> = {
  list: E
  rowKey: Name<RowOf<E>>
  /** The first four stand in line, the rest under *More*. */
  filters?: readonly Name<E['filters']>[]
  /** Filters the list starts with. */
  start?: FiltersOf<E>
  /** Chips that set several filters at once; a counted one says how many rows it would show. */
  presets?: readonly { label: Key; filters: FiltersOf<E>; sort?: string; counted?: true }[]
  columns: readonly Column<RowOf<E>>[]
  /** Columns that wait in the column picker. */
  more?: readonly Name<RowOf<E>>[]
  row?: (act: Act<RowOf<E>>) => readonly Action<RowOf<E>>[]
  /** Actions on one row as well as on chosen ones. */
  rowAndBulk?: (act: Act<RowOf<E>>) => readonly Action<RowOf<E>>[]
  bulk?: (act: Act<RowOf<E>>) => readonly Action<RowOf<E>>[]
  toolbar?: (act: Act<never>) => readonly Action<never>[]
  /** What Enter and a click on the key do: a drawer, whose row is in the address… */
  detail?: (row: RowOf<E>, reload: () => void) => ReactNode
  /** …with this beside the key in its head. */
  head?: (row: RowOf<E>) => ReactNode
  /** …or another page. */
  go?: (row: RowOf<E>) => { to: string; query: Record<string, string> }
  /** Above the table: figures, tabs. It is given the filters in force, and what puts others in force. */
  above?: (filters: FiltersOf<E>, apply: (filters: ListState['filters']) => void) => ReactNode
  /** Calls that `above`, `detail` and own dialogs make. */
  also?: readonly Endpoint[]
  /** Milliseconds after which the list asks again by itself. */
  refresh?: number
}

/** Anything that is not a list is React; it names its calls. */
export const screen = (calls: readonly Endpoint[], render: () => ReactNode, first = calls): Screen => ({
  calls,
  render,
  first,
})
