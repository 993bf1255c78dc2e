import type { Tx } from '../db/database.ts'
import { json } from '../db/json.ts'
import type { Params } from '../http/fault.ts'
import { newNo } from '../money/numbers.ts'
import { system } from '../rights/actor.ts'
import { create, transition } from '../states/transition.ts'
import { handledBy, type WarningLevel } from '../warnings/rule.ts'
import { userNoOf } from './staff.ts'

const hour = 3_600_000

type Past = {
  type: keyof typeof handledBy
  level: WarningLevel
  objectType: string
  objectNo: string
  facts: Params
  hoursAgo: number
  /** How long it lasted; without it, it waits for a person. */
  minutes?: number
}

/** Those that ended by themselves. */
const ended: readonly Past[] = [
  {
    type: 'channel_failing',
    level: 'warning',
    objectType: 'channel',
    objectNo: 'airtel_money',
    facts: { channel: 'Airtel Money', n: 34, percent: 61, least: 80, tries: 20, minutes: 30 },
    hoursAgo: 66,
    minutes: 48,
  },
  {
    type: 'job_failed',
    level: 'warning',
    objectType: 'job',
    objectNo: 'recon.run',
    facts: { job: 'recon.run', n: 1 },
    hoursAgo: 52,
    minutes: 95,
  },
  {
    type: 'outbox_dead',
    level: 'warning',
    objectType: 'queue',
    objectNo: 'payout.ask',
    facts: { queue: 'payout.ask', n: 2 },
    hoursAgo: 41,
    minutes: 22,
  },
  {
    type: 'allot_stuck',
    level: 'warning',
    objectType: 'order',
    objectNo: '-',
    facts: { n: 7, minutes: 10 },
    hoursAgo: 30,
    minutes: 14,
  },
  {
    type: 'balance_low',
    level: 'critical',
    objectType: 'fundAccount',
    objectNo: 'FA1',
    facts: { account: 'MTN MoMo 1', balance: '1,240,000', least: '5,000,000' },
    hoursAgo: 27,
    minutes: 130,
  },
]

/** Those that only a person ends. */
const waiting = (): readonly Past[] => [
  {
    type: 'login_attack',
    level: 'critical',
    objectType: 'user',
    objectNo: userNoOf('finance1'),
    facts: { name: 'Paul Ssemakula', n: 3, least: 3 },
    hoursAgo: 5,
  },
  {
    type: 'mass_reveal',
    level: 'critical',
    objectType: 'user',
    objectNo: userNoOf('auditor1'),
    facts: { name: 'Brenda Namutebi', n: 60, least: 60 },
    hoursAgo: 3,
  },
]

/** Warnings of the last days that ended by themselves, and two that only a person ends; the rules add those of now. */
export const writeWarnings = async (tx: Tx): Promise<void> => {
  const actor = system('demo warnings')
  for (const { type, level, objectType, objectNo, facts, hoursAgo, minutes } of [...ended, ...waiting()]) {
    const firstTime = new Date(tx.now.getTime() - hoursAgo * hour)
    const warningNo = newNo('WN', firstTime)
    const values = {
      warningNo,
      dedupeKey: `${type}:${objectNo}`,
      warningType: type,
      warningLevel: level,
      perm: handledBy[type],
      merchantNo: null,
      objectType,
      objectNo,
      route: null,
      facts: json(facts),
      affected: json(objectNo === '-' ? [] : [{ objectNo, route: null }]),
      firstTime,
      lastTime: firstTime,
    }
    await create(tx, 'warning', values, { event: 'warning.open' }, actor)
    if (minutes === undefined) continue
    const set = { resolveTime: new Date(firstTime.getTime() + minutes * 60_000) }
    const row = { ...values, warningStatus: 'open', version: 0 }
    await transition(tx, 'warning', row, { event: 'warning.resolve', as: 'system', set }, actor)
  }
}
