import { codes } from '../contract/codes.ts'
import type { Host } from '../element/context.ts'
import type { MkopoEvents } from '../element/events.ts'
import type { CallOptions } from './call.ts'
import { CallError, ContractError, TransportError } from './errors.ts'

/** Whether a call failed because the session has ended. */
export const isSignedOut = (error: unknown): error is CallError =>
  error instanceof CallError && error.code === codes.signedOut

const typeOf = (error: unknown): MkopoEvents['mkopo-error']['type'] => {
  if (error instanceof CallError) return error.code === codes.forbidden ? 'forbidden' : 'server'
  if (error instanceof ContractError) return 'contract'
  return error instanceof TransportError ? 'network' : 'render'
}

/** Reports a failed call to the host, unless the widget aborted it. @returns the same error, to be thrown */
export const reported = ({ emit, tag }: Host, error: unknown, { signal, retry }: CallOptions): unknown => {
  if (signal?.aborted) return error
  const message = error instanceof Error ? error.message : String(error)
  emit('mkopo-error', {
    tag,
    type: typeOf(error),
    message,
    ...(error instanceof CallError ? { code: error.code } : {}),
    ...(retry ? { retry } : {}),
  })
  return error
}
