import crypto from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { type Config, readConfig } from '../config.ts'
import { GatewayUnavailable } from '../gateways/gateway.ts'
import { silentLog } from '../log.ts'
import type { Airtel, Momo } from '../vendor-accounts.ts'
import { openChannels } from './channels.ts'

const dataDir = mkdtempSync(path.join(tmpdir(), 'mkopo-channels-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const momo: Momo = {
  baseUrl: 'http://127.0.0.1:9',
  subscriptionKey: 'sub',
  apiUser: 'user',
  apiKey: 'key',
  callbackHost: 'https://mkopo.example',
  targetEnvironment: 'mtnuganda',
}
const airtel: Airtel = {
  baseUrl: 'http://127.0.0.1:9',
  clientId: 'client',
  clientSecret: 'secret',
  pin: '4321',
  publicKey: crypto
    .generateKeyPairSync('rsa', { modulusLength: 2048 })
    .publicKey.export({ type: 'spki', format: 'pem' })
    .toString(),
}
const attempt = {
  externalId: 'LC1-1',
  gatewayRef: 'LC11',
  amount: '50000.00',
  payee: { walletAccount: '256750000101' },
  payerMessage: '',
}

const open = (o: Partial<Config>) =>
  openChannels(
    { ...readConfig({ DATA_DIR: dataDir, MKOPO_DEMO: '0' }), ...o },
    {
      port: 9,
      log: silentLog,
      execArgv: ['--import', 'tsx'],
      program: name => fileURLToPath(new URL(`../simulators/${name}.ts`, import.meta.url)),
    },
  )

it('without any network nothing is sent, and nothing looks as if it had been', async () => {
  const { payout, collect } = await open({})
  expect([Object.keys(payout), Object.keys(collect)]).toEqual([['mtn_momo'], ['mtn_momo']])
  expect(await payout.mtn_momo.send(attempt)).toMatchObject({ kind: 'failure', answerCode: 'NOT_CONFIGURED' })
})

it('only the networks that are set up are spoken with, also in a demo', async () => {
  const one = await open({ airtel, demo: true })
  expect(await one.payout.mtn_momo.send(attempt)).toMatchObject({ answerCode: 'NOT_CONFIGURED' })
  expect(await one.payout.airtel_money?.send(attempt)).toMatchObject({ kind: 'none' })
  expect(one.collect.airtel_money?.channel).toBe('airtel_money')
  const other = await open({ momo, demo: true })
  expect(other.payout.airtel_money).toBeUndefined()
  await expect(other.payout.mtn_momo.balance()).rejects.toThrow(GatewayUnavailable)
})

it('a demo has a simulator of each network, each with a record of its own', async () => {
  const { payout, stop } = await open({ demo: true })
  const airtelMoney = payout.airtel_money
  expect(await payout.mtn_momo.balance()).toBe('2000000000.00')
  expect(await airtelMoney?.send(attempt)).toMatchObject({ kind: 'success' })
  expect(await airtelMoney?.balance()).toBe('1999950000.00')
  expect(await payout.mtn_momo.balance()).toBe('2000000000.00')
  stop()
  await expect.poll(() => payout.mtn_momo.balance().catch(() => 'gone'), { timeout: 60_000 }).toBe('gone')
})
