import type { Lie, RequestCase } from './cases.ts'
import type { Operation } from './operation.ts'

export type CallbackCall = { method: 'PUT' | 'POST'; body: object }

/** What one network has of its own beside the machinery that all simulated networks share. */
export type Channel = {
  channel: 'mtn_momo' | 'airtel_money'
  /** Its record is `<file>.jsonl`. */
  file: string
  /** Cases of requests that this network knows. */
  cases: readonly RequestCase[]
  /** The words of a case in this network, such as the reasons of its final failures. */
  variants: Readonly<Partial<Record<RequestCase, readonly string[]>>>
  /** The word for a failure without a reason of its own, and for our own want of money. */
  failure: { general: string; funds: string }
  /** The reason of a failure as the paying side of a collection gets it. */
  payerReason: (reason: string) => string
  /** The reference of what customers pay by themselves. */
  newRef: () => string
  /** A number that this network gives to a movement of money; `nth` differs between movements. */
  serialOf: (at: Date, nth: number) => string
  /** What it tells us unasked: the truth, a lie, or with `forgedSerial` a success that never was. */
  callback: (operation: Operation, o: { lie?: Lie; forgedSerial: string | null }) => CallbackCall
}
