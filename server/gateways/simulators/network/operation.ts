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
  told: Promise<void>
}
