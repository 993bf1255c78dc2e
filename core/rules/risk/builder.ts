import type { ASTNode } from '@marcbachmann/cel-js'
import { factOf, treeOf } from './expression.ts'
import { type FactKey, type FactType, isFact, riskFacts } from './facts.ts'

/** How a row compares: signs as the language has them, and words for what it says otherwise. */
export const rowOperators = [
  ...(['==', '!=', '<', '<=', '>', '>='] as const),
  ...(['in', 'startsWith', 'yes', 'no', 'onList', 'offList', 'known', 'unknown'] as const),
] as const
export type RowOperator = (typeof rowOperators)[number]
/** One comparison. The value is as it is typed; several of a list are separated by commas, and some operators have none. */
export type BuiltRow = { fact: FactKey; operator: RowOperator; value: string }
export type Joins = 'all' | 'any'
/** Rows that all or any of which must hold; groups lie one level deep. */
export type BuiltGroup = { joins: Joins; rows: BuiltRow[] }
export type Built = { joins: Joins; parts: (BuiltRow | BuiltGroup)[] }

const numbers: readonly RowOperator[] = ['==', '!=', '<', '<=', '>', '>=', 'known', 'unknown']
/** What may be asked of a fact of a type. */
export const operatorsOf: Readonly<Record<FactType, readonly RowOperator[]>> = {
  int: numbers,
  double: numbers,
  string: ['==', '!=', 'in', 'startsWith', 'known', 'unknown'],
  bool: ['yes', 'no', 'known', 'unknown'],
  list: ['onList', 'offList'],
}
/** Operators that are whole without a value. */
export const bareOperators: readonly RowOperator[] = ['yes', 'no', 'known', 'unknown']

export const isGroup = (part: BuiltRow | BuiltGroup): part is BuiltGroup => 'rows' in part

const signs = { all: ' && ', any: ' || ' } as const
const quoted = (text: string) => JSON.stringify(text)

const literal = ({ fact, value }: BuiltRow): string => {
  const { type } = riskFacts[fact]
  const typed = value.trim()
  if (type === 'double') return /^-?\d+$/.test(typed) ? `${typed}.0` : typed
  return type === 'int' ? typed : quoted(typed)
}

const rowText = (row: BuiltRow): string => {
  const { fact, operator, value } = row
  switch (operator) {
    case 'yes':
      return fact
    case 'no':
      return `!${fact}`
    case 'known':
      return `has(${fact})`
    case 'unknown':
      return `!has(${fact})`
    case 'onList':
      return `inList(${quoted(value.trim())})`
    case 'offList':
      return `!inList(${quoted(value.trim())})`
    case 'in': {
      const values = value.split(',').map(one => one.trim())
      return `${fact} in [${values.filter(Boolean).map(quoted).join(', ')}]`
    }
    case 'startsWith':
      return `${fact}.startsWith(${literal(row)})`
    default:
      return `${fact} ${operator} ${literal(row)}`
  }
}

const groupText = ({ joins, rows }: BuiltGroup): string => rows.map(rowText).join(signs[joins])

/** The expression that rows write. A group of one row needs no parentheses, and an empty one says nothing. */
export const writeBuilt = ({ joins, parts }: Built): string =>
  parts
    .filter(part => !isGroup(part) || part.rows.length > 0)
    .map(part => (isGroup(part) ? (part.rows.length > 1 ? `(${groupText(part)})` : groupText(part)) : rowText(part)))
    .join(signs[joins])

const join = { '&&': 'all', '||': 'any' } as const
const isJoin = (op: string): op is keyof typeof join => op in join

const rowOf = (fact: string | null, operator: RowOperator, value = ''): BuiltRow | null =>
  fact !== null && isFact(fact) && operatorsOf[riskFacts[fact].type].includes(operator)
    ? { fact, operator, value }
    : null

/** A literal as it is typed; null for anything else. */
const typed = (node: ASTNode | undefined): string | null => {
  if (node?.op === 'value') return typeof node.args === 'boolean' ? null : String(node.args)
  const inner = node?.op === '-_' ? (node.args as ASTNode) : null
  return inner?.op === 'value' ? `-${inner.args}` : null
}

const ofCall = (node: ASTNode, isNegated: boolean): BuiltRow | null => {
  const [name, [first]] = node.args as unknown as [string, ASTNode[]]
  if (name === 'has' && first) return rowOf(factOf(first), isNegated ? 'unknown' : 'known')
  const value = name === 'inList' ? typed(first) : null
  return value === null ? null : rowOf('lists.hits', isNegated ? 'offList' : 'onList', value)
}

const ofMethod = (node: ASTNode): BuiltRow | null => {
  const [name, of, [first]] = node.args as unknown as [string, ASTNode, ASTNode[]]
  const value = typed(first)
  return name === 'startsWith' && value !== null ? rowOf(factOf(of), 'startsWith', value) : null
}

const ofComparison = (node: ASTNode): BuiltRow | null => {
  const [left, right] = node.args as unknown as [ASTNode, ASTNode]
  if (node.op === 'in') {
    const values = right.op === 'list' ? (right.args as ASTNode[]).map(typed) : [null]
    const isPlain = values.every(
      (one): one is string => one !== null && one !== '' && one.trim() === one && !one.includes(','),
    )
    return isPlain && values.length > 0 ? rowOf(factOf(left), 'in', values.join(', ')) : null
  }
  const value = typed(right)
  return value === null || value.trim() !== value ? null : rowOf(factOf(left), node.op as RowOperator, value)
}

const readRow = (node: ASTNode): BuiltRow | null => {
  if (node.op === '.') return rowOf(factOf(node), 'yes')
  if (node.op === '!_') {
    const inner = node.args as ASTNode
    return inner.op === 'call' ? ofCall(inner, true) : inner.op === '.' ? rowOf(factOf(inner), 'no') : null
  }
  if (node.op === 'call') return ofCall(node, false)
  if (node.op === 'rcall') return ofMethod(node)
  return (rowOperators as readonly string[]).includes(node.op) ? ofComparison(node) : null
}

/** What one sign joins, however it is nested. */
const joined = (node: ASTNode, op: string): ASTNode[] =>
  node.op === op ? (node.args as unknown as ASTNode[]).flatMap(one => joined(one, op)) : [node]

const readGroup = (node: ASTNode): BuiltGroup | null => {
  if (!isJoin(node.op)) return null
  const rows = joined(node, node.op).map(readRow)
  return rows.every(row => row !== null) ? { joins: join[node.op], rows } : null
}

/** The rows of an expression; null where it is none, or where rows cannot say what it says. */
export const readBuilt = (text: string): Built | null => {
  const tree = treeOf(text)
  if (!tree) return null
  const joins = isJoin(tree.op) ? join[tree.op] : 'all'
  const parts = (isJoin(tree.op) ? joined(tree, tree.op) : [tree]).map(node => readRow(node) ?? readGroup(node))
  return parts.every(part => part !== null) ? { joins, parts } : null
}
