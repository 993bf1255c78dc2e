import { z } from 'zod'
import { codes } from '../../core/contract/codes.ts'
import { endpoints } from '../../core/contract/contract.ts'
import { base, type Endpoint } from '../../core/contract/endpoint.ts'
import { nameOf } from '../../core/rules/machines/machines.ts'

type Schema = Record<string, unknown>

/** Leaves out bounds that only state the range of a JavaScript number. */
const withoutNoise = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNoise)
  if (!value || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([key, inner]) =>
          key !== '$schema' &&
          key !== '$id' &&
          !((key === 'minimum' || key === 'maximum') && Math.abs(Number(inner)) === Number.MAX_SAFE_INTEGER),
      )
      .map(([key, inner]) => [key, withoutNoise(inner)]),
  )
}

const definitions = /^#\/\$defs\//

/** Recursive types come as definitions of their own schema; they are made components, named for their call. */
const schemaOf = (
  schema: z.ZodType,
  io: 'input' | 'output',
  name: string,
  components: Record<string, Schema>,
): Schema => {
  const { $defs, ...plain } = withoutNoise(
    z.toJSONSchema(schema, {
      target: 'draft-2020-12',
      io,
      unrepresentable: 'any',
      // Samples are made of it; JSON Schema knows no such word.
      override: ({ jsonSchema }) => {
        delete (jsonSchema as Schema).example
      },
    }),
  ) as Schema & { $defs?: Record<string, Schema> }
  const renamed = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value), (key, inner: unknown) =>
      key === '$ref' && typeof inner === 'string' ? inner.replace(definitions, `#/components/schemas/${name}.`) : inner,
    ) as T
  for (const [id, definition] of Object.entries($defs ?? {})) components[`${name}.${id}`] = renamed(definition)
  return renamed(plain)
}

const inPath = (endpoint: Endpoint) => [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(match => match[1] as string)

const enveloped = (data: Schema): Schema => ({
  type: 'object',
  required: ['code', 'msg', 'data'],
  properties: {
    code: { $ref: '#/components/schemas/Code' },
    msg: { type: 'string' },
    data: { anyOf: [data, { type: 'null' }] },
  },
})

const header = (name: string, required: boolean, description: string) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
})
const keyHeader = header('Idempotency-Key', true, '16 to 255 printable characters; the same key gives the same answer')
const proofHeader = header(
  'X-Step-Up',
  false,
  'The proof of `user.stepUp`, which a call that answered 40302 is sent again with',
)
const signatureHeaders = (signer: string) => [
  header('X-Merchant', true, 'Merchant number'),
  header('X-Timestamp', true, 'Unix time in milliseconds, at most five minutes off'),
  header('X-Signature', true, `HMAC-SHA256 in hex over \`timestamp.body\` with the secret of the ${signer}`),
]

const security: Record<Endpoint['auth'], Record<string, string[]>[]> = {
  staff: [{ token: [] }, { bearer: [] }],
  anon: [],
  merchant: [{ merchant: [] }],
  platform: [{ platform: [] }],
  partner: [{ partner: [] }],
}

const bytesBody = (most: number) => ({
  required: true,
  content: { 'application/octet-stream': { schema: { type: 'string', contentEncoding: 'binary', maxLength: most } } },
})

const operation = (name: string, endpoint: Endpoint, components: Record<string, Schema>) => {
  const input = schemaOf(endpoint.input, 'input', `${name}.input`, components)
  const properties = (input.properties ?? {}) as Record<string, Schema>
  const required = (input.required ?? []) as string[]
  const paths = inPath(endpoint)
  const fromPath = paths.map(key => ({
    name: key,
    in: 'path',
    required: true,
    schema: properties[key] ?? { type: 'string' },
  }))
  const fromQuery = Object.entries(properties)
    .filter(([key]) => endpoint.method !== 'POST' && !paths.includes(key))
    .map(([key, schema]) => ({ name: key, in: 'query', required: required.includes(key), schema }))
  const own = [
    ...(endpoint.audit && endpoint.auth === 'staff' ? [keyHeader] : []),
    ...(endpoint.stepUp ? [proofHeader] : []),
    ...(endpoint.auth === 'merchant' ? signatureHeaders('merchant') : []),
    ...(endpoint.auth === 'platform' ? signatureHeaders('platform').slice(1) : []),
    ...Object.entries(endpoint.headers ?? {}).map(([name, what]) => header(name, true, what)),
  ]
  return {
    operationId: name,
    tags: [name.split('.')[0]],
    security: security[endpoint.auth],
    parameters: [...fromPath, ...fromQuery, ...own],
    ...(endpoint.method === 'POST'
      ? { requestBody: { required: true, content: { 'application/json': { schema: input } } } }
      : {}),
    ...(endpoint.bytes ? { requestBody: bytesBody(endpoint.bytes) } : {}),
    responses: {
      200: {
        description: 'The answer; refusals have a code of their own and HTTP 200 too',
        content: {
          ...(endpoint.file ? { '*/*': { schema: { type: 'string', contentEncoding: 'binary' } } } : {}),
          'application/json': { schema: enveloped(schemaOf(endpoint.output, 'output', `${name}.output`, components)) },
        },
      },
    },
    'x-permission': endpoint.perm ?? endpoint.anyPerm ?? null,
    'x-audit': endpoint.audit ?? null,
    ...(endpoint.stepUp ? { 'x-step-up': endpoint.stepUp } : {}),
    ...(endpoint.on ? { 'x-machine-event': { ...endpoint.on, machine: nameOf(endpoint.on.machine) } } : {}),
  }
}

/** The contract as OpenAPI 3.1, for partners and for tools. */
export const openapi = (version: string) => {
  const components: Record<string, Schema> = {
    Code: {
      type: 'integer',
      enum: Object.values(codes),
      description: Object.entries(codes)
        .map(([name, code]) => `${code} ${name}`)
        .join(', '),
    },
  }
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { name, endpoint } of endpoints) {
    const path = `${base}${endpoint.path}`
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(name, endpoint, components) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Mkopo', version },
    paths,
    components: {
      schemas: components,
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'token' },
        bearer: { type: 'http', scheme: 'bearer' },
        merchant: { type: 'apiKey', in: 'header', name: 'X-Signature' },
        platform: { type: 'apiKey', in: 'header', name: 'X-Signature' },
        partner: { type: 'http', scheme: 'basic' },
      },
    },
  }
}
