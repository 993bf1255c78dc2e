import { codes } from '../../../../core/contract/codes.ts'
import type { AcquireResult } from '../../../../core/contract/merchant/order-acquire.ts'
import { Application } from '../../../../core/contract/order/intake.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'
import { hashOf } from '../../../http/idempotency.ts'
import type { Request } from '../../../http/serve.ts'
import { noteRefused } from '../../merchant/order-acquire/index.ts'
import { askingOf, type Merchant } from './checks.ts'

const unproven = ['errors.signature', 'errors.addressNotAllowed', 'errors.testKey']

/** The number that partners know a refusal by. */
export const codeOf = (error: unknown): AcquireResult => {
  if (!(error instanceof Fault)) return '199'
  const { intakeCode } = (error.data ?? {}) as { intakeCode?: AcquireResult }
  if (intakeCode) return intakeCode
  if (unproven.includes(error.key)) return '101'
  if (error.key === 'errors.merchantClosed') return '104'
  return error.code === codes.validation ? '102' : '199'
}

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

const numberIn = (sent: unknown): string | null => {
  const { thirdOrderNo } = (sent ?? {}) as { thirdOrderNo?: unknown }
  const read = Application.shape.thirdOrderNo.safeParse(thirdOrderNo)
  return read.success ? read.data : null
}

/** Notes an application that was not taken; what came without proof of its sender is noted, and nothing of it believed. */
export const noteRefusal = async (tx: Tx, { headers, body, arrived }: Request, error: unknown): Promise<void> => {
  const code = codeOf(error)
  const merchantNo = headers.get('x-merchant') ?? ''
  // The other call of the same application, which is still going on, notes what becomes of it.
  if (error instanceof Fault && error.key === 'errors.keyRunning') return
  if (error instanceof Fault && code !== '101') error.data = { ...(error.data as object | null), intakeCode: code }
  const latencyMs = Date.now() - (arrived ?? Date.now())
  const unknown = {
    merchantNo,
    payloadHash: hashOf(body),
    latencyMs,
    acquireNo: null,
    incomingChannel: null,
    customerNo: null,
    loanKind: null,
  }
  if (code === '101') return noteRefused(tx, { ...unknown, code, thirdOrderNo: null, payload: null })
  const sent = parsed(body)
  const read = Application.safeParse(sent)
  if (!read.success) return noteRefused(tx, { ...unknown, code, thirdOrderNo: numberIn(sent), payload: null })
  const input = read.data
  const merchant = { merchantNo } as Merchant
  const { rule, customerNo, loanKind } = await askingOf(tx, { input, merchant, lists: null as never })
  const { thirdOrderNo, incomingChannel } = input
  const of = { ...unknown, thirdOrderNo, incomingChannel, customerNo, loanKind }
  await noteRefused(tx, { ...of, code, acquireNo: rule?.acquireNo ?? null, payload: input })
}
