import { describe, expect, it } from 'vitest'
import { endpoints } from '../../core/contract/contract.ts'
import { base } from '../../core/contract/endpoint.ts'
import { openapi } from '../../server/http/openapi.ts'

type Schema = { [key: string]: unknown }
type Parameter = { name: string; in: string; required: boolean; schema: Schema }
type Operation = {
  operationId: string
  parameters: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { description: string; content: Record<string, { schema: Schema }> }>
  security: Record<string, string[]>[]
}
type Document = {
  openapi: string
  info: { title: string; version: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, { type: string }> }
}
const document = JSON.parse(JSON.stringify(openapi('1.2.3'))) as Document

const types = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])
const known = new Set(
  `$ref type properties required additionalProperties propertyNames items prefixItems enum const anyOf oneOf allOf not format pattern
   minLength maxLength minItems maxItems minimum maximum exclusiveMinimum exclusiveMaximum multipleOf default description title
   contentEncoding kind dict range of purpose changes post`.split(/\s+/),
)

const children = ({
  properties,
  items,
  prefixItems,
  additionalProperties,
  propertyNames,
  anyOf,
  oneOf,
  allOf,
}: Schema) =>
  [
    ...Object.values((properties ?? {}) as Record<string, Schema>),
    ...[items, additionalProperties, propertyNames].filter(part => part && typeof part === 'object'),
    ...[prefixItems, anyOf, oneOf, allOf].flatMap(part => (part ?? []) as Schema[]),
  ] as Schema[]

/** Walks a JSON Schema of draft 2020-12 and says what is wrong with it. */
const flaws = (schema: Schema, at: string): string[] => {
  const { $ref, type, required, properties } = schema as {
    $ref?: string
    type?: string | string[]
    required?: string[]
    properties?: Schema
  }
  const own = [
    ...Object.keys(schema)
      .filter(key => !known.has(key))
      .map(key => `${at}: ${key}?`),
    ...[type ?? []]
      .flat()
      .filter(one => !types.has(one))
      .map(one => `${at}: type ${one}`),
    ...($ref && !document.components.schemas[$ref.replace('#/components/schemas/', '')] ? [`${at}: ${$ref}`] : []),
    ...(required ?? []).filter(name => !(name in (properties ?? {}))).map(name => `${at}: required ${name}`),
    ...(schema.pattern ? compile(String(schema.pattern), at) : []),
  ]
  return [...own, ...children(schema).flatMap((child, index) => flaws(child, `${at}/${index}`))]
}
const compile = (pattern: string, at: string) => {
  try {
    new RegExp(pattern, 'u')
    return []
  } catch {
    return [`${at}: pattern ${pattern}`]
  }
}

it('is a document of OpenAPI 3.1', () => {
  expect(document.openapi).toMatch(/^3\.1\.\d+$/)
  expect(document.info).toEqual({ title: 'Mkopo', version: '1.2.3' })
  for (const { type } of Object.values(document.components.securitySchemes)) expect(['apiKey', 'http']).toContain(type)
})

it('has every call of the contract and no other', () => {
  const declared = endpoints.map(({ endpoint }) => `${endpoint.method.toLowerCase()} ${base}${endpoint.path}`)
  const described = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map(method => `${method} ${path}`),
  )
  expect(described.sort()).toEqual(declared.sort())
})

it('names each operation once', () => {
  const ids = Object.values(document.paths).flatMap(item => Object.values(item).map(operation => operation.operationId))
  expect(new Set(ids).size).toBe(ids.length)
})

it.each(Object.entries(document.components.schemas))('has a sound component %s', (name, schema) => {
  expect(flaws(schema, name)).toEqual([])
})

describe.each(
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  ),
)('$method $path', ({ path, method, operation }) => {
  it('has sound schemas', () => {
    const body = operation.requestBody?.content['application/json']?.schema
    const answer = operation.responses['200']!.content['application/json']!.schema
    expect(method === 'post').toBe(body !== undefined)
    expect([...(body ? flaws(body, 'body') : []), ...flaws(answer, 'answer')]).toEqual([])
    expect(operation.parameters.flatMap(parameter => flaws(parameter.schema, parameter.name))).toEqual([])
  })

  it('declares the names of its path, and each parameter once', () => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const declared = operation.parameters.filter(parameter => parameter.in === 'path')
    expect(declared.map(parameter => parameter.name)).toEqual(inPath)
    expect(declared.every(parameter => parameter.required)).toBe(true)
    const places = operation.parameters.map(parameter => `${parameter.in} ${parameter.name.toLowerCase()}`)
    expect(new Set(places).size).toBe(places.length)
  })

  it('is guarded by a scheme that there is', () => {
    for (const scheme of operation.security.flatMap(entry => Object.keys(entry)))
      expect(document.components.securitySchemes).toHaveProperty([scheme])
  })
})
