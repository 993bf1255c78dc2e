import {
  ColumnNode,
  type ColumnUpdateNode,
  type InsertQueryNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PrimitiveValueListNode,
  type QueryId,
  type RawBuilder,
  sql,
  TableNode,
  type UpdateQueryNode,
  type ValueListNode,
  ValueNode,
  ValuesNode,
} from 'kysely'
import type { Catalog } from './catalog.ts'

/** A value for a jsonb column or parameter inside a `sql` template. */
export const json = <T>(value: T): RawBuilder<T> => sql<T>`${JSON.stringify(value)}::jsonb`

const encoded = (value: unknown): unknown => (value === null || value === undefined ? value : JSON.stringify(value))

/** Writes the values of jsonb columns as JSON, whatever they are: `pg` alone would take an array for an SQL array. */
class JsonValues extends OperationNodeTransformer {
  readonly #jsonColumns: (table: string) => ReadonlySet<string>
  #table = ''

  constructor(jsonColumns: (table: string) => ReadonlySet<string>) {
    super()
    this.#jsonColumns = jsonColumns
  }

  protected override transformInsertQuery(node: InsertQueryNode, queryId?: QueryId): InsertQueryNode {
    this.#table = node.into?.table.identifier.name ?? ''
    const columns = node.columns?.map(({ column }) => this.#jsonColumns(this.#table).has(column.name)) ?? []
    if (!node.values || !ValuesNode.is(node.values) || !columns.includes(true)) {
      return super.transformInsertQuery(node, queryId)
    }
    const values = ValuesNode.create(node.values.values.map(list => encodeList(list, columns)))
    return super.transformInsertQuery({ ...node, values }, queryId)
  }

  protected override transformUpdateQuery(node: UpdateQueryNode, queryId?: QueryId): UpdateQueryNode {
    this.#table = node.table && TableNode.is(node.table) ? node.table.table.identifier.name : ''
    return super.transformUpdateQuery(node, queryId)
  }

  protected override transformColumnUpdate(node: ColumnUpdateNode, queryId?: QueryId): ColumnUpdateNode {
    const isJson = ColumnNode.is(node.column) && this.#jsonColumns(this.#table).has(node.column.column.name)
    if (!isJson || !ValueNode.is(node.value)) return super.transformColumnUpdate(node, queryId)
    return super.transformColumnUpdate({ ...node, value: ValueNode.create(encoded(node.value.value)) }, queryId)
  }
}

const encodeList = (list: ValueListNode | PrimitiveValueListNode, isJson: readonly boolean[]) =>
  list.kind === 'PrimitiveValueListNode'
    ? { ...list, values: list.values.map((value, at) => (isJson[at] ? encoded(value) : value)) }
    : {
        ...list,
        values: list.values.map((value, at) =>
          isJson[at] && ValueNode.is(value) ? ValueNode.create(encoded(value.value)) : value,
        ),
      }

/** Goes after the plugin that turns names into those of the database. */
export const jsonPlugin = (catalog: () => Catalog): KyselyPlugin => {
  let seen: Catalog | undefined
  let jsonColumns = new Map<string, ReadonlySet<string>>()
  const none: ReadonlySet<string> = new Set()
  const columnsOf = (table: string): ReadonlySet<string> => {
    if (seen !== catalog()) {
      seen = catalog()
      jsonColumns = new Map(
        [...seen].map(([name, columns]) => [name, new Set(columns.filter(c => c.type === 'jsonb').map(c => c.name))]),
      )
    }
    return jsonColumns.get(table) ?? none
  }
  const transformer = new JsonValues(columnsOf)
  return {
    transformQuery: ({ node, queryId }) =>
      node.kind === 'InsertQueryNode' || node.kind === 'UpdateQueryNode'
        ? transformer.transformNode(node, queryId)
        : node,
    transformResult: async ({ result }) => result,
  }
}
