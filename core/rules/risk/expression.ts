import { type ASTNode, Environment } from '@marcbachmann/cel-js'
import { creditFacts, type FactType, type FactValues, factGroups, isFact, riskFacts } from './facts.ts'

/** Longest text of an expression, and how far it may be nested. */
export const maxText = 2_000
const maxNodes = 300
const maxDepth = 20
const maxListed = 200

/** Why a text is no rule, with the place in it. */
export type ExpressionFlaw = { key: ExpressionFault; detail: string; start: number; end: number }
type ExpressionFault =
  | 'validation.expressionLong'
  | 'validation.expressionBroken'
  | 'validation.expressionUnknown'
  | 'validation.expressionTypes'
  | 'validation.expressionForbidden'
  | 'validation.expressionResult'
  | 'validation.expressionStage'

/** A text that is a rule, ready to be run. */
export type Expression = { text: string; factsUsed: string[]; run: (facts: FactValues) => boolean | null }
/** What a text is: a rule, or what is wrong with it. */
export type Checked = { ok: true; expression: Expression } | { ok: false; flaw: ExpressionFlaw }

/** One part of an expression with what it came to; null is not known. */
export type Part = { text: string; value: boolean | null }

const celTypes: Record<FactType, string> = {
  int: 'int',
  double: 'double',
  string: 'string',
  bool: 'bool',
  list: 'list<string>',
}

const environment = (): Environment => {
  const env = new Environment({
    limits: { maxAstNodes: maxNodes, maxDepth, maxListElements: maxListed, maxMapEntries: 0, maxCallArguments: 4 },
  })
  for (const [group, facts] of factGroups()) {
    const schema = Object.fromEntries(Object.entries(facts).map(([name, type]) => [name, celTypes[type]]))
    env.registerVariable({ name: group, schema })
  }
  // Only their types count: what they give is computed here.
  env.registerFunction('inList(string): bool', () => false)
  env.registerFunction('days(int): int', (n: bigint) => n)
  return env
}
let env: Environment | undefined
const language = (): Environment => {
  env ??= environment()
  return env
}

const binary = ['==', '!=', '<', '<=', '>', '>=', '+', '-', '*', '/', '%', 'in']
const logical = ['||', '&&', '?:', '!_', '-_']
const functions = ['has', 'size', 'inList', 'days']
const methods = ['startsWith', 'endsWith', 'contains']

const nodeOf = (value: unknown): value is ASTNode => typeof value === 'object' && value !== null && 'op' in value
/** The nodes below a node. */
const below = (node: ASTNode): ASTNode[] => {
  const args = node.args as unknown
  return (Array.isArray(args) ? args.flat(1) : [args]).filter(nodeOf)
}
/** The name that `group.key` writes; null for anything else. */
export const factOf = (node: ASTNode): string | null => {
  if (node.op !== '.') return null
  const [of, name] = node.args
  return of.op === 'id' ? `${of.args}.${name}` : null
}
const textOf = (node: ASTNode): string => node.input.slice(node.range.start, node.range.end)

/** What of a tree is not in the language: the first node that is. */
const forbidden = (node: ASTNode): ASTNode | null => {
  const isAllowed = (): boolean => {
    if (node.op === 'value') return ['bigint', 'number', 'string', 'boolean'].includes(typeof node.args)
    if (node.op === '.') return factOf(node) !== null
    if (node.op === 'call') return functions.includes(node.args[0])
    if (node.op === 'rcall') return methods.includes(node.args[0])
    if (node.op === '+') return ['int', 'double'].includes(String(language().check(textOf(node)).type))
    return node.op === 'list' || binary.includes(node.op) || logical.includes(node.op)
  }
  if (!isAllowed()) return node
  if (factOf(node)) return null
  if (node.op === 'call' && node.args[0] === 'has') {
    const [of] = node.args[1]
    return of && factOf(of) ? null : node
  }
  for (const one of below(node)) {
    const found = forbidden(one)
    if (found) return found
  }
  return null
}

const factsIn = (node: ASTNode, found = new Set<string>()): Set<string> => {
  const name = factOf(node)
  if (name) found.add(name)
  if (node.op === 'call' && node.args[0] === 'inList') found.add('lists.hits')
  for (const one of below(node)) factsIn(one, found)
  return found
}

type Value = bigint | number | string | boolean | readonly Value[] | null

/** The value of a fact as the language has it; null where it is missing. */
const factValue = (facts: FactValues, name: string): Value => {
  const value = isFact(name) ? facts[name] : null
  if (value === null || value === undefined) return null
  if (!isFact(name)) return null
  return riskFacts[name].type === 'int' ? BigInt(Math.trunc(Number(value))) : (value as Value)
}

type Numbers = readonly [bigint, bigint] | readonly [number, number]
const sums: Record<string, (a: Numbers) => Value> = {
  '+': ([a, b]) => ((a as number) + (b as number)) as Value,
  '-': ([a, b]) => ((a as number) - (b as number)) as Value,
  '*': ([a, b]) => ((a as number) * (b as number)) as Value,
  // A division by zero has no value.
  '/': ([a, b]) => (Number(b) === 0 ? null : (((a as number) / (b as number)) as Value)),
  '%': ([a, b]) => (Number(b) === 0 ? null : (((a as number) % (b as number)) as Value)),
}
/** Whole and broken numbers of the same amount are equal, whichever kind they are. */
const same = (a: Value, b: Value): boolean => (typeof a === typeof b ? a === b : Number(a) === Number(b))
const compares: Record<string, (a: Value, b: Value) => boolean> = {
  '==': same,
  '!=': (a, b) => !same(a, b),
  '<': (a, b) => (a as number) < (b as number),
  '<=': (a, b) => (a as number) <= (b as number),
  '>': (a, b) => (a as number) > (b as number),
  '>=': (a, b) => (a as number) >= (b as number),
  in: (a, b) => (b as readonly Value[]).some(one => same(one, a)),
}

const called = (name: string, args: readonly ASTNode[], facts: FactValues): Value => {
  const [first] = args
  if (!first) return null
  if (name === 'has') return factValue(facts, factOf(first) ?? '') !== null
  const value = evaluate(first, facts)
  if (value === null) return null
  if (name === 'inList') {
    const hits = factValue(facts, 'lists.hits')
    return hits === null ? null : (hits as readonly string[]).includes(value as string)
  }
  return name === 'size' ? BigInt((value as string | readonly Value[]).length) : value
}

const method = (name: string, of: Value, [first]: readonly Value[]): Value => {
  if (of === null || first === null || first === undefined) return null
  const text = of as string
  if (name === 'contains') return text.includes(first as string)
  return name === 'startsWith' ? text.startsWith(first as string) : text.endsWith(first as string)
}

const either = (node: ASTNode & { op: '||' | '&&' }, facts: FactValues): Value => {
  const decides = node.op === '||'
  const [left, right] = node.args
  const a = evaluate(left, facts)
  if (a === decides) return decides
  const b = evaluate(right, facts)
  if (b === decides) return decides
  return a === null || b === null ? null : !decides
}

/** What a tree comes to: `true || missing` is true, `false && missing` is false, everything else that a missing fact is part of has no value. */
const evaluate = (node: ASTNode, facts: FactValues): Value => {
  switch (node.op) {
    case 'value':
      return node.args as Value
    case '.':
      return factValue(facts, factOf(node) ?? '')
    case 'call':
      return called(node.args[0], node.args[1], facts)
    case 'rcall': {
      const [name, of, args] = node.args
      return method(
        name,
        evaluate(of, facts),
        args.map(one => evaluate(one, facts)),
      )
    }
    case 'list': {
      const values = node.args.map(one => evaluate(one, facts))
      return values.includes(null) ? null : values
    }
    case '||':
    case '&&':
      return either(node as ASTNode & { op: '||' | '&&' }, facts)
    case '?:': {
      const [when, yes, no] = node.args
      const holds = evaluate(when, facts)
      return holds === null ? null : evaluate(holds ? yes : no, facts)
    }
    case '!_': {
      const value = evaluate(node.args, facts)
      return value === null ? null : !value
    }
    case '-_': {
      const value = evaluate(node.args, facts)
      return value === null ? null : -(value as number)
    }
    default:
      return joined(node, facts)
  }
}

const joined = (node: ASTNode, facts: FactValues): Value => {
  const [left, right] = node.args as [ASTNode, ASTNode]
  const a = evaluate(left, facts)
  const b = evaluate(right, facts)
  if (a === null || b === null) return null
  return sums[node.op]?.([a, b] as Numbers) ?? compares[node.op]?.(a, b) ?? null
}

type Refusal = { message: string; range?: { start: number; end: number } | undefined }
/** What the parser or the checker said, as one of our own faults. */
const flawOf = (text: string, { message, range }: Refusal): ExpressionFlaw => {
  const detail = message.split('\n')[0] ?? ''
  const { start, end } = range ?? { start: 0, end: text.length }
  const at = { detail, start, end: Math.max(end, start) }
  if (/^(Unknown variable|No such key)/.test(detail)) return { key: 'validation.expressionUnknown', ...at }
  if (/^Exceeded/.test(detail)) return { key: 'validation.expressionLong', ...at }
  if (/overload|type/i.test(detail)) return { key: 'validation.expressionTypes', ...at }
  return { key: 'validation.expressionBroken', ...at }
}
const flawAt = (key: ExpressionFault, node: ASTNode): Checked => ({
  ok: false,
  flaw: { key, detail: textOf(node), start: node.range.start, end: node.range.end },
})

const parts = (node: ASTNode): ASTNode[] => (node.op === '||' || node.op === '&&' ? node.args.flatMap(parts) : [node])

const parsed = (text: string): { tree: ASTNode } | { flaw: ExpressionFlaw } => {
  if (text.length > maxText)
    return { flaw: { key: 'validation.expressionLong', detail: String(maxText), start: maxText, end: text.length } }
  try {
    const { valid, error } = language().check(text)
    if (!valid) return { flaw: flawOf(text, error as unknown as Refusal) }
    return { tree: language().parse(text).ast }
  } catch (error) {
    return { flaw: flawOf(text, error as Refusal) }
  }
}

/** Checks a text as a rule of a stage, and makes it ready to run. What is not in the language is refused at its place. */
export const check = (text: string, stage?: string): Checked => {
  const found = parsed(text)
  if ('flaw' in found) return { ok: false, flaw: found.flaw }
  const { tree } = found
  const outside = forbidden(tree)
  if (outside) return flawAt('validation.expressionForbidden', outside)
  if (language().check(text).type !== 'bool') return flawAt('validation.expressionResult', tree)
  const factsUsed = [...factsIn(tree)].sort()
  if (stage !== undefined && stage !== 'credit' && factsUsed.some(name => creditFacts.includes(name)))
    return flawAt('validation.expressionStage', tree)
  const run = (facts: FactValues) => evaluate(tree, facts) as boolean | null
  return { ok: true, expression: { text, factsUsed, run } }
}

/** The tree of a text that is a rule, and the fact that one of its nodes names; null for a text that is none. */
export const treeOf = (text: string): ASTNode | null => (check(text).ok ? language().parse(text).ast : null)

const compiled = new Map<string, Expression>()
/** A text that was checked when it was stored; kept, because every application runs it. */
export const expressionOf = (text: string): Expression => {
  const known = compiled.get(text)
  if (known) return known
  const checked = check(text)
  if (!checked.ok) throw new Error(`no expression: ${text}: ${checked.flaw.detail}`)
  if (compiled.size > 2_000) compiled.clear()
  compiled.set(text, checked.expression)
  return checked.expression
}

/** The comparisons that an expression joins, each with what it came to. */
export const partsOf = (text: string, facts: FactValues): Part[] => {
  const found = parsed(text)
  if ('flaw' in found) return []
  return parts(found.tree).map(node => ({ text: textOf(node), value: evaluate(node, facts) as boolean | null }))
}
