import type { Context } from 'hono'
import type { z } from 'zod'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import { jsonExcess } from '../../core/rules/json/json-limits.ts'
import { Fault } from './fault.ts'
import { explain } from './validation.ts'

/** The query of a read. A repeated name is refused: proxies and servers read it differently. */
const queryOf = (c: Context): Record<string, string> => {
  const all = Object.entries(c.req.queries())
  const twice = all.find(([, values]) => values.length > 1)
  if (twice) throw new Fault('validation', 'validation.keyTwice', { name: twice[0].slice(0, 40) })
  return Object.fromEntries(all.map(([name, values]) => [name, values[0] as string]))
}

/** The value of a JSON text. @throws {Fault} for broken JSON, for a key that stands twice in one object, and for depth without end */
const jsonOf = (body: string): unknown => {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    throw new Fault('validation', 'errors.brokenJson')
  }
  const excess = jsonExcess(body)
  if (excess === 'depth') throw new Fault('validation', 'validation.wrongValue')
  if (excess) throw new Fault('validation', 'validation.keyTwice', { name: excess.key.slice(0, 40) })
  return value
}

/** The one character that no text of the database can hold, as JSON writes it. */
const nul = /(?<!\\)(?:\\\\)*\\u0000/

/** What the caller sent: the JSON body of a command, the path and query of a read. Broken JSON is a fault of its own. */
const rawInput = (c: Context, endpoint: Endpoint, body: string): unknown => {
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const fromPath = Object.fromEntries(inPath.map(name => [name, c.req.param(name)]))
  const isPost = endpoint.method === 'POST'
  const fromQuery = isPost ? {} : queryOf(c)
  if (nul.test(body) || [...Object.values(fromPath), ...Object.values(fromQuery)].some(value => value?.includes('\0')))
    throw new Fault('validation', 'validation.wrongValue')
  if (!isPost) return { ...fromQuery, ...fromPath }
  if (!body) return fromPath
  if (endpoint.foreign?.form && !body.trimStart().startsWith('{'))
    return { ...Object.fromEntries(new URLSearchParams(body)), ...fromPath }
  const value = jsonOf(body)
  return value && typeof value === 'object' && !Array.isArray(value) ? { ...value, ...fromPath } : value
}

/** What the caller sent, as the schema of the endpoint gives it back. @throws {Fault} naming each field that is wrong */
export const inputOf = (c: Context, endpoint: Endpoint, body: string): unknown => {
  const result = (endpoint.input as z.ZodType).safeParse(rawInput(c, endpoint, body))
  if (result.success) return result.data
  throw explain(result.error.issues)
}
