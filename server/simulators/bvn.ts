/**
 * A bank verification service as a process of its own. Environment: PORT (0 takes a free one), HOST, API_KEY, SIM_SPEED (1). The last digit of
 * a number decides: 9 is nobody's, 0 somebody else's, 8 is answered after eight seconds, 7 at the second question; all others are their
 * holder's. Numbers are made of phones, so that the applicants of the simulators have theirs.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { error, header, type Route } from './network/http.ts'
import { runRoutes } from './network/process.ts'
import { birthDateOf, nameOf, phoneOfBvn } from './people.ts'

const { env } = process
const apiKey = env.API_KEY ?? 'demo-key'
const speed = Number(env.SIM_SPEED ?? 1)
const slowMs = 8_000
const usualMs = 700
const asked = new Set<string>()

const holderOf = (bvn: string) => {
  const phone = phoneOfBvn(bvn)
  const name = bvn.endsWith('0') ? nameOf(`${phone} other`) : nameOf(phone)
  return { bvn, fullName: name, dateOfBirth: birthDateOf(phone), phone }
}

const routes: readonly Route[] = [
  [
    'GET',
    /^\/v1\/holders\/(\d{11})$/,
    async (call, [bvn = '']) => {
      if (header(call, 'authorization') !== `Bearer ${apiKey}`) return error(401, 'UNAUTHORIZED', 'unknown key')
      await wait((bvn.endsWith('8') ? slowMs : usualMs) / speed)
      if (bvn.endsWith('9')) return error(404, 'NOT_FOUND', 'no holder')
      const isFirst = !asked.has(bvn)
      asked.add(bvn)
      if (bvn.endsWith('7') && isFirst) return { status: 202, body: { bvn, state: 'LOOKING' } }
      return { status: 200, body: holderOf(bvn) }
    },
  ],
]
runRoutes(routes, 8095)
