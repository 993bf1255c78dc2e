import { contract } from '../../core/contract/contract.ts'
import { base, type Envelope, type OutputOf } from '../../core/contract/endpoint.ts'
import type { Application } from '../../core/contract/order/intake.ts'
import { signatureOf } from '../http/defence/signature.ts'
import { applicant } from '../simulators/people.ts'
import type { Kit } from './kit.ts'

export type Sent = { merchantNo?: string; secret?: string; timestamp?: string; signature?: string; path?: string }
type Answer = Envelope<OutputOf<typeof contract.intake.apply>>

/** What the system of the first fixture merchant sends; `change` is laid over a believable application. */
export const application = (seed: number, change: Partial<Application> = {}): Application => ({
  ...applicant(seed, { productNos: ['P1'], clean: true, at: '2026-03-02T06:59:00.000Z' }),
  loanAmount: '200000.00',
  ...change,
})

/** What the first fixture merchant's system sends along to prove a body its own. */
export const signedBy = (text: string, { merchantNo = 'M1', secret = 'secret-one', ...o }: Sent = {}) => {
  const timestamp = o.timestamp ?? String(Date.now())
  return {
    'x-merchant': merchantNo,
    'x-timestamp': timestamp,
    'x-signature': o.signature ?? signatureOf(secret, timestamp, text),
  }
}

/** Sends an application as a partner's system does, over HTTP semantics and signed. */
export const send = async (kit: Pick<Kit, 'app'>, body: unknown, o: Sent = {}): Promise<Answer> => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const { path = `${base}${contract.intake.apply.path}` } = o
  const headers = { 'content-type': 'application/json', language: 'en', ...signedBy(text, o) }
  const answer = await kit.app.request(path, { method: 'POST', headers, body: text })
  return (await answer.json()) as Answer
}
