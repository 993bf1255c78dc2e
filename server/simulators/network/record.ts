import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { CaseCode } from './cases.ts'
import type { Mix } from './seed.ts'

/** Money that really moved. Amounts are whole shillings. */
export type Movement = {
  kind: 'funding' | 'payout' | 'return' | 'payIn' | 'reversal'
  account: string
  direction: 'in' | 'out'
  /** Reference of the operation; the serial number is what statements show. */
  ref: string
  externalId: string
  serialNo: string
  amount: number
  fee: number
  counterparty: string
  message: string
  onStatement: boolean
  code: CaseCode | null
}

export type Product = 'transfer' | 'requestToPay' | 'payIn'

export type Request = {
  product: Product
  ref: string
  externalId: string
  account: string
  party: string
  amount: number
  message: string
  callbackUrl: string | null
  code: CaseCode
  variant: string | null
  /** The number that the network gives to its movement; one of its own making unless it was chosen. */
  serialNo?: string
}

export type Status = 'PENDING' | 'SUCCESSFUL' | 'FAILED'

/** One line of the record. A line that moves money also says why, so that neither can exist without the other. */
export type Entry = { at: string } & (
  | { entry: 'fund'; moved: Movement }
  | { entry: 'clock'; seconds: number }
  | { entry: 'holder'; phone: string; name: string }
  | { entry: 'seed'; seed: number | null; mix: Mix }
  | { entry: 'turnedAway'; ref: string; party: string; code: CaseCode; variant: string | null }
  | { entry: 'request'; request: Request }
  | {
      entry: 'step'
      ref: string
      status: Status
      reason: string | null
      serialNo: string | null
      moved?: Movement
      /** A callback goes out with this step; `delivered` says that it arrived, or that nobody took it in all its tries. */
      tells?: true
    }
  | { entry: 'delivered'; ref: string; step: number }
)

/**
 * The append-only record: every line is on disk before anybody hears of it; a torn last line is cut off at start. Where `synced` is false
 * a line outlives the process alone, which is enough where only the other side is killed.
 */
export const openRecord = <E = Entry>(dir: string, name: string, { synced = true } = {}) => {
  mkdirSync(dir, { recursive: true })
  const file = openSync(join(dir, `${name}.jsonl`), 'a+')
  const found = readFileSync(file)
  const whole = found.subarray(0, found.lastIndexOf(0x0a) + 1)
  if (whole.length < found.length) ftruncateSync(file, whole.length)
  const entries = whole
    .toString()
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as E)
  return {
    entries,
    append(entry: E) {
      writeSync(file, `${JSON.stringify(entry)}\n`)
      if (synced) fsyncSync(file)
    },
    close: () => closeSync(file),
  }
}
