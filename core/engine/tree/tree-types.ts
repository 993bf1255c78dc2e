import type { ComponentType, ReactNode } from 'react'
import type { z } from 'zod'
import type { Endpoint, InputOf } from '../../contract/endpoint.ts'
import type { Key } from '../../i18n/index.ts'
import type { Act, Action, Column, Listed } from '../screen.ts'
import type { Carried, Moves, Place } from './carry.ts'

type Name<T> = Extract<keyof T, string>
type Nested = { childList: Nested[] }
/** A read that answers a tree: nodes with the nodes below them. */
export type TreeEndpoint = Endpoint & { output: z.ZodType<{ list: Nested[] }> }
type NodeOf<E> = E extends { output: z.ZodType<{ list: (infer N)[] }> } ? N : never

/** What the dialog of a move is given: the row, and where it was put. */
export type MoveProps<R> = { row: R; target: R; place: Place; close: (changed?: boolean) => void }

/** The declaration of a screen that shows rows in a tree with columns. */
export type TreeScreen<E extends TreeEndpoint, F extends z.ZodRawShape> = {
  tree: E
  input?: InputOf<E>
  /** A row of the tree, by field kinds. */
  fields: z.ZodObject
  rowKey: Name<NodeOf<E>>
  parentKey: Name<NodeOf<E>>
  /** What rows are searched by; the rows above those that are found stay in sight. */
  filters: F
  hits: (row: NodeOf<E>, filters: { [K in keyof F]?: z.output<F[K]> }) => boolean
  /** The first one holds the tree. */
  columns: readonly Column<NodeOf<E>>[]
  /** Rows that stand there for their place alone; nothing can be done with them. */
  quiet?: (row: NodeOf<E>) => boolean
  toolbar?: (act: Act<never>) => readonly Action<never>[]
  row?: (act: Act<NodeOf<E>>) => readonly Action<NodeOf<E>>[]
  head?: (row: NodeOf<E>) => ReactNode
  detail: (row: NodeOf<E>, reload: () => void) => ReactNode
  /** How rows are moved, by those who may. */
  move?: {
    command: Endpoint
    places: Moves['places']
    takes?: (row: NodeOf<E>) => boolean
    /** Why it cannot be put there; null where it can. */
    refuses: (carried: Carried, rows: ReadonlyMap<string, NodeOf<E>>) => Key | null
    dialog: ComponentType<MoveProps<NodeOf<E>>>
  }
  /** Beside the toolbar, and calls that it, dialogs and drawer make. */
  also?: readonly Endpoint[]
}

/** The same as its parts see it. */
export type AnyTree = Omit<TreeScreen<TreeEndpoint, z.ZodRawShape>, 'columns' | 'row' | 'rowKey' | 'parentKey'> & {
  rowKey: string
  parentKey: string
  columns: readonly Column<Record<string, unknown>>[]
}
export type TreeActions = Record<'row' | 'toolbar', readonly Action<never>[]>

/** The list that filters and drawer take a tree for. */
export const listOfTree = ({ tree, fields, filters }: Pick<AnyTree, 'tree' | 'fields' | 'filters'>): Listed => ({
  ...tree,
  row: fields,
  filters,
  sort: [],
  defaultSort: '',
})
