import { timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import { hashToken } from '../session/session.ts'

/** Who may read what operators need: nobody, this machine alone, or everybody. */
export const accesses = ['off', 'loopback', 'open'] as const
/** One value of {@link accesses}. */
export type Access = (typeof accesses)[number]

/** Access to `/metrics` and `/openapi.json`. With a token (`Authorization: Bearer …`) its holder may read what is not off. */
export type Operators = { metrics: Access; openapi: Access; token?: string }

const loopback = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/

/** A proxy on this machine has a loopback address too, so a forwarded call does not count as local. */
const isLocal = ({ req, env }: Context): boolean => {
  const address = (env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined)?.incoming?.socket
    ?.remoteAddress
  return loopback.test(address ?? '') && !req.header('x-forwarded-for') && !req.header('forwarded')
}

const holds = ({ req }: Context, token: string | undefined): boolean => {
  const given = req.header('authorization')?.match(/^Bearer +(.+)$/i)?.[1]
  return (
    token !== undefined &&
    given !== undefined &&
    timingSafeEqual(Buffer.from(hashToken(given)), Buffer.from(hashToken(token)))
  )
}

/** Whether a request may read the metrics or the API description. */
export const mayAsk = (c: Context, { token, ...of }: Operators, what: 'metrics' | 'openapi'): boolean => {
  const access = of[what]
  if (access === 'off') return false
  return access === 'open' || isLocal(c) || holds(c, token)
}
