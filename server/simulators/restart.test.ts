import { randomUUID } from 'node:crypto'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import type { Attempt } from '../gateways/gateway.ts'
import { mtnMomo } from '../gateways/mtn-momo.ts'
import { freshDir, listen, type Momo, startMomo } from './testing.ts'

let running: Momo | undefined
const start = async (dir: string, callbackUrl?: string) => {
  running = await startMomo({ dir, ...(callbackUrl ? { callbackUrl } : {}) })
  return running
}
afterEach(async () => {
  await running?.stop()
})

const attempt = (externalId: string): Attempt => ({
  externalId,
  gatewayRef: randomUUID(),
  amount: '75000.00',
  payee: { walletAccount: '256772000031' },
  payerMessage: 'Loan',
})

it('a killed simulator still knows what moved, what it promised and its own time', async () => {
  const dir = freshDir()
  const first = await start(dir)
  const gateway = mtnMomo(first.config)
  const [paid, late, returned, busy] = [attempt('A'), attempt('B'), attempt('C'), attempt('D')]
  await first.scenario({ match: 'externalId', value: 'B', case: 'G08' })
  await first.scenario({ match: 'externalId', value: 'C', case: 'G28' })
  await first.scenario({ match: 'externalId', value: 'D', case: 'G16' })
  await first.holder('256772000031', 'Sarah Nakato')
  for (const one of [paid, late, returned, busy]) await gateway.send(one)
  for (const one of [paid, late, returned]) await gateway.query(one)
  await first.clock(600)
  await first.payIn({ reference: '8001', payer: '256772000031', amount: 5000 })
  const truth = await first.truth()
  await first.stop('SIGKILL')

  const second = await start(dir)
  const again = mtnMomo(second.config)
  expect(await second.truth()).toEqual(truth)
  expect(await again.query(paid)).toMatchObject({ kind: 'success', amount: '75000.00' })
  expect(await again.query(late)).toMatchObject({ kind: 'failure' })
  expect(await again.send(paid)).toEqual({ kind: 'exists' })
  expect(await again.send(busy)).toEqual({ kind: 'accepted' })
  expect(await again.verifyHolder('256772000031')).toEqual({ name: 'Sarah Nakato' })
  const { now } = (await (await fetch(`${second.baseUrl}/health`)).json()) as { now: string }
  expect(Date.parse(now)).toBeGreaterThanOrEqual(Date.now() + 599_000)

  await second.clock(3 * 86_400)
  const kinds = async (externalId: string) =>
    (await second.truth(`?externalId=${externalId}`)).movements.map(m => m.kind)
  await vi.waitFor(async () => expect(await kinds('B')).toEqual(['payout']))
  expect(await kinds('C')).toEqual(['payout', 'return'])
  expect(await kinds('A')).toEqual(['payout'])
})

it('a callback that was on its way when the simulator was killed goes out again, and only that one', async () => {
  const dir = freshDir()
  const silent = await listen(() => new Promise<object>(() => undefined))
  const first = await start(dir, silent.url)
  await first.payIn({ reference: '8001', payer: '256772000031', amount: 5000 })
  await vi.waitFor(() => expect(silent.heard).toHaveLength(1), 10_000)
  await first.stop('SIGKILL')
  silent.close()

  const owner = await listen()
  const second = await start(dir, owner.url)
  await vi.waitFor(() => expect(owner.heard.map(({ body }) => body)).toEqual([silent.heard[0]?.body]), 10_000)
  await second.quiet()
  await second.stop('SIGKILL')

  const third = await start(dir, owner.url)
  await third.payIn({ reference: '8002', payer: '256772000031', amount: 6000 })
  await vi.waitFor(() => expect(owner.heard).toHaveLength(2), 10_000)
  expect(owner.heard[1]?.body).toContain('8002')
  owner.close()
})

it('a line torn by a crash is cut off, and what follows is whole', async () => {
  const dir = freshDir()
  const first = await start(dir)
  await first.payIn({ reference: '1', payer: '256772000031', amount: 5000 })
  const truth = await first.truth()
  await first.stop('SIGKILL')
  appendFileSync(join(dir, 'momo.jsonl'), '{"entry":"step","at":"2026')

  const second = await start(dir)
  expect(await second.truth()).toEqual(truth)
  await second.payIn({ reference: '2', payer: '256772000031', amount: 6000 })
  await second.stop('SIGKILL')
  const third = await start(dir)
  expect((await third.truth()).balances.collection).toBe('11000.00')
})

it('the record only grows', async () => {
  const dir = freshDir()
  const file = join(dir, 'momo.jsonl')
  const first = await start(dir)
  const sizes: string[] = [readFileSync(file, 'utf8')]
  const gateway = mtnMomo(first.config)
  for (const name of ['A', 'B']) {
    const one = attempt(name)
    await gateway.send(one)
    await gateway.query(one)
    sizes.push(readFileSync(file, 'utf8'))
  }
  for (let i = 1; i < sizes.length; i += 1) expect(sizes[i]?.startsWith(sizes[i - 1] ?? '?')).toBe(true)
  expect(new Set(sizes).size).toBe(3)
})

it('a record that is damaged in the middle stops the start', async () => {
  const dir = freshDir()
  writeFileSync(
    join(dir, 'momo.jsonl'),
    '{"entry":"fu\n{"entry":"clock","at":"2026-11-20T00:00:00.000Z","seconds":1}\n',
  )
  await expect(start(dir)).rejects.toThrow('did not start')
})
