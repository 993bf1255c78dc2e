import { type Bindings, type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'

export type Log = Logger

/** The fields that may be written; any other is left out, so a new field of a request cannot leak by being forgotten. */
const allowed = new Set(
  `event requestId method path endpoint status code durationMs size userNo merchantNo orderNo loanCode flowNo billNo repaymentNo
  machine objectType objectNo fromState toState queue job jobId jobKey slot cursor attempts maxAttempts worker topic outboxNo
  channel gatewayRef externalId answerCode port host kind version node pid count rows seconds businessDate incident signal reason err`.split(
    /\s+/,
  ),
)

const maxMessage = 500

/** Takes out of a text what may be an address, a phone, an identity or account number, or a token. */
export const scrub = (text: string): string =>
  text
    .slice(0, maxMessage)
    .replace(/[\w.+-]+@[\w-]+\.[\w.]+/g, '[mail]')
    .replace(/(postgres(?:ql)?|https?):\/\/[^\s@/]*@/g, '$1://[secret]@')
    .replace(/\b[A-Z]{2}[A-Z0-9]{10,14}\b/g, '[id]')
    .replace(/\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{24,}\b/g, '[token]')
    .replace(/\+?\d{7,}/g, '[digits]')

type Fault = { type: string; message: string; code?: string; constraint?: string; stack?: string; cause?: Fault }

/** What a log says of an error: never its parameters, and its text without personal data. */
export const faultOf = (error: unknown): Fault => {
  if (!(error instanceof Error)) return { type: typeof error, message: scrub(String(error)) }
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  const frames = error.stack?.split('\n').filter(line => line.startsWith('    at '))
  return {
    type: error.name,
    message: scrub(error.message),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(frames ? { stack: frames.slice(0, 12).join('\n') } : {}),
    ...(error.cause === undefined ? {} : { cause: faultOf(error.cause) }),
  }
}

const primitive = (value: unknown): boolean => value === null || ['string', 'number', 'boolean'].includes(typeof value)

const redact = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      if (!allowed.has(name) || value === undefined) return []
      if (name === 'err') return [[name, faultOf(value)]]
      return primitive(value) ? [[name, typeof value === 'string' ? value.slice(0, maxMessage) : value]] : []
    }),
  )

/** The log of the process: one JSON line per event, fields by an allow-list, messages constant in the code. */
export const createLog = (level: string, destination?: DestinationStream): Log => {
  const log = pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }), log: redact },
      serializers: { err: (value: unknown) => value },
      hooks: {
        logMethod(args, method) {
          const [first, second] = args as unknown[]
          if (first instanceof Error) method.apply(this, [{ err: first }, scrub(String(second ?? 'failed'))])
          else if (typeof first === 'string') method.apply(this, [scrub(first)])
          else method.apply(this, [first as object, scrub(String(second ?? ''))])
        },
      },
    },
    ...(destination ? [destination] : []),
  )
  const { child } = log
  log.child = function (this: Log, bindings: Bindings) {
    return child.call(this, redact(bindings))
  } as Log['child']
  return log
}

/** A log that says nothing. */
export const silentLog: Log = createLog('silent')
