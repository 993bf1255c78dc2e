import type {
  ColumnNode,
  IdentifierNode,
  OperationNode,
  RawBuilder,
  RawNode,
  ReferenceNode,
  SchemableIdentifierNode,
  TableNode,
  ValueNode,
} from 'kysely'

/** A statement as text, and the values of its places in order. */
export type Statement = { sql: string; parameters: unknown[] }

type Writing = { text: string; values: unknown[]; snake: (name: string) => string }

/** Writes one part of a statement; false where only Kysely knows how. */
type Write = (node: never, to: Writing) => boolean

const writeRaw = ({ sqlFragments, parameters }: RawNode, to: Writing): boolean => {
  for (let at = 0; at < sqlFragments.length; at++) {
    to.text += sqlFragments[at]
    const part = parameters[at]
    if (part && !write(part, to)) return false
  }
  return true
}

const writeValue = ({ immediate, value }: ValueNode, to: Writing): boolean => {
  if (immediate) return false
  to.values.push(value)
  to.text += `$${to.values.length}`
  return true
}

const writeIdentifier = ({ name }: IdentifierNode, to: Writing): boolean => {
  to.text += `"${to.snake(name).replaceAll('"', '""')}"`
  return true
}

const writeReference = ({ table, column }: ReferenceNode, to: Writing): boolean => {
  if (!table) return write(column, to)
  if (!write(table, to)) return false
  to.text += '.'
  return write(column, to)
}

const writeSchemable = ({ schema, identifier }: SchemableIdentifierNode, to: Writing): boolean =>
  schema ? false : write(identifier, to)

const writers: Readonly<Partial<Record<OperationNode['kind'], Write>>> = {
  RawNode: writeRaw,
  ValueNode: writeValue,
  IdentifierNode: writeIdentifier,
  ReferenceNode: writeReference,
  ColumnNode: ({ column }: ColumnNode, to) => write(column, to),
  TableNode: ({ table }: TableNode, to) => write(table, to),
  SchemableIdentifierNode: writeSchemable,
}

const write = (node: OperationNode, to: Writing): boolean => writers[node.kind]?.(node as never, to) ?? false

/**
 * The statement of a `sql` template, its names as `snake` writes them: what Kysely makes of it, in one pass instead of one per plugin.
 * @returns nothing for a template that holds more than text, values and names, such as a query of Kysely's builder
 */
export const compiled = (query: RawBuilder<unknown>, snake: (name: string) => string): Statement | undefined => {
  const to: Writing = { text: '', values: [], snake }
  return write(query.toOperationNode(), to) ? { sql: to.text, parameters: to.values } : undefined
}
