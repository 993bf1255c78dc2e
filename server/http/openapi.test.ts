import { expect, it } from 'vitest'
import { endpoints } from '../../core/contract/contract.ts'
import { base } from '../../core/contract/endpoint.ts'
import { openapi } from './openapi.ts'

const description = openapi('1.2.3')
type Operation = {
  operationId: string
  parameters: { name: string; in: string; required: boolean }[]
  requestBody?: object
  security: object[]
  'x-permission': string | null
  'x-audit': string | null
}
const operation = (path: string, method: 'get' | 'post') => description.paths[`${base}${path}`]?.[method] as Operation

it('describes every call of the contract, and nothing else', () => {
  const described = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
  )
  expect(described.sort()).toEqual(endpoints.map(({ endpoint }) => `${endpoint.method} ${base}${endpoint.path}`).sort())
  expect(description).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } })
})

it('says which permission a call takes, how it is logged, and that a command needs a key', () => {
  const allot = operation('/loans/audit/allot/commit', 'post')
  expect(allot).toMatchObject({
    operationId: 'audit.allot',
    'x-permission': 'audit:order:allot',
    'x-audit': 'order.allot',
    'x-machine-event': { machine: 'order', event: 'allot' },
  })
  expect(allot.parameters).toContainEqual(
    expect.objectContaining({ name: 'Idempotency-Key', in: 'header', required: true }),
  )
  expect(operation('/noAuth/logon/login', 'post').security).toEqual([])
})

it('says which calls take a proof, always or where the record wants one', () => {
  const confirm = operation('/payManage/loan/confirm', 'post')
  expect(confirm).toMatchObject({ 'x-step-up': true })
  expect(confirm.parameters).toContainEqual(
    expect.objectContaining({ name: 'X-Step-Up', in: 'header', required: false }),
  )
  expect(operation('/common/approval/approve', 'post')).toMatchObject({ 'x-step-up': 'ofRecord' })
  expect(operation('/common/approval/reject', 'post')).not.toHaveProperty('x-step-up')
})

it('names what a partner signs with', () => {
  expect(operation('/open/order/apply', 'post').parameters.map(one => one.name)).toEqual([
    'X-Merchant',
    'X-Timestamp',
    'X-Signature',
  ])
})

it('puts the parts of a read into path and query', () => {
  const reveal = operation('/common/reveal/{kind}', 'get')
  expect(reveal.requestBody).toBeUndefined()
  expect(reveal.parameters).toContainEqual(
    expect.objectContaining({
      name: 'kind',
      in: 'path',
      required: true,
      schema: expect.objectContaining({ enum: expect.arrayContaining(['phone']) }),
    }),
  )
  expect(reveal.parameters).toContainEqual(expect.objectContaining({ name: 'objectNo', in: 'query', required: true }))
})

it('refers to nothing that is not there', () => {
  const text = JSON.stringify(description)
  const targets = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(match => match[1] as string)
  expect(targets).toContain('Code')
  for (const target of targets) expect(description.components.schemas).toHaveProperty([target])
  expect(text).not.toContain('$defs')
  expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER))
})
