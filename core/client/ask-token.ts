import { within } from '../element/load-once.ts'
import type { Identity } from './identify.ts'

type FetchToken = () => Promise<string>
/** A new token, and whose it is where that was asked. */
export type Renewal = { token: string; who: Identity }

const patience = 60_000
const asked = new WeakMap<FetchToken, Map<string, Promise<Renewal>>>()

const ask = async (fetchToken: FetchToken, look: (token: string) => Promise<Identity>): Promise<Renewal> => {
  const token = await fetchToken()
  if (typeof token !== 'string' || !token) throw new Error('fetchToken gave no token')
  return { token, who: await look(token) }
}

/**
 * Asks the host for a new token. All who share the function and the base address wait for one answer.
 * @throws what the host threw, or that it gave none in a minute
 */
export const askToken = (
  fetchToken: FetchToken,
  baseUrl: string,
  look: (token: string) => Promise<Identity>,
): Promise<Renewal> => {
  const byBase = asked.get(fetchToken) ?? new Map<string, Promise<Renewal>>()
  asked.set(fetchToken, byBase)
  const running = byBase.get(baseUrl)
  if (running) return running
  const answer = within(ask(fetchToken, look), patience).finally(() => byBase.delete(baseUrl))
  byBase.set(baseUrl, answer)
  return answer
}
