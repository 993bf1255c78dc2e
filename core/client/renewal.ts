import { embed } from '../contract/user/embed.ts'
import { live } from './access.ts'
import { call, type Server } from './call.ts'
import { TransportError } from './errors.ts'

/** The server renews in the last two minutes; ten seconds are for clocks and networks. */
const aheadMs = 110_000
const againMs = 10_000
/** A timer stands still while a computer sleeps, so the clock is looked at now and then. */
const lookMs = 30_000

type Kept = { server: Server; token: string; due: number; end: number }

const kept = new Map<string, Kept>()
let timer: ReturnType<typeof setTimeout> | undefined

const isHeld = ({ server, token }: Kept) => [...live].some(access => access.renew(token, undefined, server.baseUrl))

const renew = async (one: Kept) => {
  const { server, token, end } = one
  try {
    const answer = await call(server, embed.refresh, {}, { background: true })
    for (const access of [...live]) access.renew(token, answer.token, server.baseUrl)
    if (answer.expireTime < answer.refreshUntil)
      renewBefore(Date.now() + answer.expiresIn * 1000, { ...server, token: () => answer.token }, answer.token)
  } catch (error) {
    // A refusal is final: the next call hears that the token has ended, and the host is asked for another one.
    const later = Date.now() + againMs
    if (error instanceof TransportError && later < end) keep({ ...one, due: later })
  }
}

/** Renews what is due by the clock on the wall, forgets what nobody holds any more, and looks again in time. */
const look = () => {
  clearTimeout(timer)
  const now = Date.now()
  for (const [key, one] of kept) {
    if (one.due > now && isHeld(one)) continue
    kept.delete(key)
    if (one.end > now && isHeld(one)) void renew(one)
  }
  if (!kept.size) return document.removeEventListener('visibilitychange', look)
  const next = Math.min(...[...kept.values()].map(({ due }) => due))
  timer = setTimeout(look, Math.min(next - now, lookMs))
}

const keep = (one: Kept) => {
  kept.set(`${one.server.baseUrl} ${one.token}`, one)
  document.addEventListener('visibilitychange', look)
  clearTimeout(timer)
  timer = setTimeout(look, Math.max(0, Math.min(one.due - Date.now(), lookMs)))
}

/** Has a token of a partner's page renewed two minutes before its end, in milliseconds by the clock of the page: once for all widgets that hold it, as long as one does. */
export const renewBefore = (end: number, server: Server, token: string) => {
  keep({ server, token, due: end - aheadMs, end })
}
