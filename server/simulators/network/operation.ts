import { behaviourOf } from './cases.ts'
import type { Request, Status } from './record.ts'

/** One request or payment and how far it has come. */
export type Operation = {
  request: Request
  at: number
  asks: number
  done: number
  status: Status
  reason: string | null
  serialNo: string | null
  delivered: Promise<void>
}

const still = (operation: Operation): Operation => ({ ...operation, status: 'PENDING', reason: null, serialNo: null })

/** An operation as its status shows it: a mute one stays open forever. */
export const shownOf = (operation: Operation): Operation =>
  behaviourOf(operation.request.code).mute ? still(operation) : operation

/** An operation as the answer to its request shows it: what the status will not tell yet, this does not either. */
export const answeredAs = (operation: Operation): Operation => {
  const { mute, hiddenFor } = behaviourOf(operation.request.code)
  return mute || hiddenFor ? still(operation) : operation
}
