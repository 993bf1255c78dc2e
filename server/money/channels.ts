import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { base } from '../../core/contract/endpoint.ts'
import type { Config } from '../config.ts'
import { airtelAccess, momoAccess, startSimulator } from '../demo/simulator.ts'
import type { AirtelConfig } from '../gateways/airtel-client.ts'
import { airtelMoney } from '../gateways/airtel-money.ts'
import { airtelMoneyCollection } from '../gateways/airtel-money-collection.ts'
import { type AirtimeConfig, airtimeVendor } from '../gateways/airtime/airtime-vendor.ts'
import type { PayoutChannel } from '../gateways/gateway.ts'
import type { MtnConfig } from '../gateways/mtn-client.ts'
import { mtnMomo } from '../gateways/mtn-momo.ts'
import { mtnMomoCollection } from '../gateways/mtn-momo-collection.ts'
import type { Log } from '../log.ts'
import type { Deps } from '../module.ts'
import { noCollection, noPayout } from './no-gateway.ts'

/** Timeouts are chosen so that a token and two calls, each tried twice, fit into the lease of a job. */
const options = { timeoutMs: 12_000 }

const callbackPath = (channel: PayoutChannel) => `${base}/callback/pay/${channel}`

type Access = { momo?: MtnConfig; airtel?: AirtelConfig; airtime?: AirtimeConfig }

const gateways = ({ momo, airtel, airtime }: Access): Pick<Deps, 'payout' | 'collect'> => ({
  payout: {
    mtn_momo: momo ? mtnMomo(momo, options) : noPayout,
    ...(airtel ? { airtel_money: airtelMoney(airtel, options) } : {}),
    ...(airtime ? { airtime: airtimeVendor(airtime, options) } : {}),
  },
  collect: {
    mtn_momo: momo ? mtnMomoCollection(momo, options) : noCollection,
    ...(airtel ? { airtel_money: airtelMoneyCollection(airtel, options) } : {}),
  },
})

type Place = {
  port: number
  log: Log
  program: (name: 'momo' | 'airtel' | 'airtime') => string
  /** How Node runs a simulator; as it runs this process unless given. */
  execArgv?: readonly string[]
}

/** A demo's networks, each in a process of its own. */
const simulated = async (config: Config, { port, log, program, execArgv }: Place) => {
  const callbackUrl = (channel: PayoutChannel) => `http://127.0.0.1:${port}${callbackPath(channel)}`
  const [momo, airtel] = [momoAccess(), airtelAccess()]
  const apiKey = randomBytes(24).toString('base64url')
  const [mtnNetwork, airtelNetwork, airtimeNetwork] = await Promise.all([
    startSimulator({
      name: 'the MoMo simulator',
      program: program('momo'),
      env: momo.env,
      execArgv,
      dataDir: path.join(config.dataDir, 'simulator'),
      callbackUrl: callbackUrl('mtn_momo'),
      port: config.simulatorPort,
      log,
    }),
    startSimulator({
      name: 'the Airtel simulator',
      program: program('airtel'),
      env: airtel.env,
      execArgv,
      dataDir: path.join(config.dataDir, 'simulator-airtel'),
      callbackUrl: callbackUrl('airtel_money'),
      port: config.airtelSimulatorPort,
      log,
    }),
    startSimulator({
      name: 'the airtime simulator',
      program: program('airtime'),
      env: { API_KEY: apiKey },
      execArgv,
      dataDir: path.join(config.dataDir, 'simulator-airtime'),
      callbackUrl: callbackUrl('airtime'),
      log,
    }),
  ])
  return {
    ...gateways({
      momo: {
        ...momo.config,
        baseUrl: mtnNetwork.baseUrl,
        targetEnvironment: 'mtnuganda',
        callbackUrl: callbackUrl('mtn_momo'),
      },
      airtel: { ...airtel.config, baseUrl: airtelNetwork.baseUrl },
      airtime: config.airtime ?? { baseUrl: airtimeNetwork.baseUrl, apiKey },
    }),
    stop() {
      for (const one of [mtnNetwork, airtelNetwork, airtimeNetwork]) one.stop()
    },
  }
}

/** The networks that money moves over: those that are set up; a demo without any has simulators of its own. */
export const openChannels = async (
  config: Config,
  place: Place,
): Promise<Pick<Deps, 'payout' | 'collect'> & { stop(): void }> => {
  const { momo, airtel, airtime, demo } = config
  if (demo && !momo && !airtel) return simulated(config, place)
  const over = momo && { ...momo, callbackUrl: `${momo.callbackHost}${callbackPath('mtn_momo')}` }
  return { ...gateways({ momo: over, airtel, airtime }), stop: () => undefined }
}
