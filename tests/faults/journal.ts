import fs from 'node:fs'
import { codes } from '../../core/contract/codes.ts'
import { base, type Endpoint, type Envelope, type InputOf } from '../../core/contract/endpoint.ts'
import { text } from '../../core/i18n/server.ts'
import type { Person } from '../../server/testing/kit.ts'

/** A keyed call as it was sent, and the bytes that answered it. */
export type Call = {
  key: string
  person: Person
  path: string
  body: string
  answer?: string
  /** Its end was unknown at least once. */
  wasLost?: boolean
  proof?: string
}

/** Answers that are not kept under a key: what they say may be otherwise the next time. */
const passing: ReadonlySet<number> = new Set([codes.internal, codes.keyRunning, codes.needsConfirmation, codes.stepUp])
const busy = text('en', 'errors.busy')
const isFinal = ({ code, msg }: Envelope) => !passing.has(code) && !(code === codes.stateConflict && msg === busy)

/**
 * What was sent and what was answered, written to the disk by somebody who is not killed. An answer that was heard must be given again
 * to the same call for ever.
 */
export const openJournal = (file: string, url: string) => {
  const out = fs.openSync(file, 'a')
  const calls = new Map<string, Call>()
  const note = (line: object) => {
    fs.writeSync(out, `${JSON.stringify(line)}\n`)
    fs.fsyncSync(out)
  }

  /** One sending of a call: its answer, or undefined where nobody knows what became of it. */
  const sent = async (call: Call): Promise<{ body: string; envelope: Envelope } | undefined> => {
    try {
      const response = await fetch(`${url}${base}${call.path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          language: 'en',
          token: call.person.token,
          'idempotency-key': call.key,
          'x-request-id': call.key,
          ...(call.proof ? { 'x-step-up': call.proof } : {}),
        },
        body: call.body,
        signal: AbortSignal.timeout(30_000),
      })
      const body = await response.text()
      return { body, envelope: JSON.parse(body) as Envelope }
    } catch {
      return undefined
    }
  }

  const send = async (call: Call): Promise<Envelope | undefined> => {
    const answered = await sent(call)
    if (!answered || answered.envelope.code === codes.internal) {
      call.wasLost = true
      return undefined
    }
    const { body, envelope } = answered
    if (!isFinal(envelope)) return envelope
    if (call.answer !== undefined && call.answer !== body)
      throw new Error(`${call.path} ${call.key} was answered ${call.answer} and then ${body}`)
    if (call.answer === undefined) {
      call.answer = body
      note({ acknowledged: call.key, body })
    }
    return envelope
  }

  return {
    calls,
    /** Sends a new call; undefined where its end is unknown. */
    async begin<E extends Endpoint>(endpoint: E, input: InputOf<E>, o: { as: Person; key: string; proof?: string }) {
      const call: Call = {
        key: o.key,
        person: o.as,
        path: endpoint.path,
        body: JSON.stringify(input),
        proof: o.proof,
      }
      calls.set(call.key, call)
      note({ sent: call.key, by: o.as.userNo, path: call.path, body: call.body })
      return { call, envelope: await send(call) }
    },
    again: send,
    unknown: () => [...calls.values()].filter(call => call.answer === undefined),
    acknowledged: () => [...calls.values()].filter(call => call.answer !== undefined),
    close: () => fs.closeSync(out),
  }
}
export type Journal = ReturnType<typeof openJournal>
