import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { airtelMoney } from '../gateways/airtel-money.ts'
import { mtnMomo } from '../gateways/mtn-momo.ts'
import { silentLog } from '../log.ts'
import { airtelAccess, momoAccess, type Simulator, startSimulator } from './simulator.ts'

const program = fileURLToPath(new URL('../simulators/momo.ts', import.meta.url))
const execArgv = ['--import', 'tsx']
let dataDir: string
let simulator: Simulator

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'mkopo-momo-'))
  simulator = await startSimulator({
    name: 'the simulator',
    program,
    env: momoAccess().env,
    execArgv,
    dataDir,
    callbackUrl: 'http://127.0.0.1:9/callback',
    log: silentLog,
  })
})
afterAll(() => {
  simulator.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const balance = () =>
  mtnMomo(
    { ...momoAccess().config, baseUrl: simulator.baseUrl, targetEnvironment: 'mtnuganda', callbackUrl: '' },
    { timeoutMs: 2_000 },
  ).balance()
const runs = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

it('answers the adapter as the network does', async () => {
  expect(await balance()).toMatch(/^\d+\.00$/)
})

it('of Airtel Money answers its adapter, which alone knows the key to it', async () => {
  const { config, env } = airtelAccess()
  const airtel = await startSimulator({
    name: 'the Airtel simulator',
    program: program.replace('momo.ts', 'airtel.ts'),
    env,
    execArgv,
    dataDir: path.join(dataDir, 'airtel'),
    callbackUrl: 'http://127.0.0.1:9/callback',
    log: silentLog,
  })
  const attempt = {
    externalId: 'LC1-1',
    gatewayRef: 'LC11',
    amount: '50000.00',
    payee: { walletAccount: '256750000101' },
    payerMessage: '',
  }
  const over = (given: typeof config) => airtelMoney({ ...given, baseUrl: airtel.baseUrl }, { timeoutMs: 2_000 })
  expect(await over(airtelAccess().config).send(attempt)).toMatchObject({ kind: 'none' })
  expect(await over(config).send(attempt)).toMatchObject({ kind: 'success' })
  airtel.stop()
})

it('is started again under the same address when it dies', async () => {
  const first = simulator.pid as number
  process.kill(first, 'SIGKILL')
  await vi.waitFor(
    async () => {
      expect(simulator.pid).not.toBe(first)
      expect(await balance()).toMatch(/\.00$/)
    },
    { timeout: 60_000, interval: 200 },
  )
})

it('never outlives the process that started it', async () => {
  const parent = spawn(
    process.execPath,
    [
      ...execArgv,
      '--input-type=module',
      '-e',
      `
    import { startSimulator } from ${JSON.stringify(new URL('./simulator.ts', import.meta.url).href)}
    import { silentLog } from ${JSON.stringify(new URL('../log.ts', import.meta.url).href)}
    const simulator = await startSimulator({ name: 'the other', env: {}, program: ${JSON.stringify(program)}, execArgv: ['--import', 'tsx'], dataDir: ${JSON.stringify(path.join(dataDir, 'other'))}, callbackUrl: 'http://127.0.0.1:9/', log: silentLog })
    process.stdout.write(String(simulator.pid))
    setInterval(() => {}, 1000)
  `,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const child = await new Promise<number>(resolve =>
    parent.stdout.once('data', (text: Buffer) => resolve(Number(text))),
  )
  expect(runs(child)).toBe(true)
  parent.kill('SIGKILL')
  await vi.waitFor(() => expect(runs(child)).toBe(false), { timeout: 60_000, interval: 100 })
})
