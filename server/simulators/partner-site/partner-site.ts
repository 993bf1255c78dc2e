/**
 * The site of a supermarket partner as a process of its own: customers are handed over to it by a link or with what fills in its form, it
 * shows what it was given, and sends what became of them, also twice, late or with a wrong key. Environment: PLATFORM_NO and PLATFORM_KEY
 * (as the console showed it), BASE (http://127.0.0.1:8080), PORT (8098; 0 takes a free one), HOST, PUBLIC_URL (where its forms are
 * opened), LATE_MS (10,000).
 */
import { base as path } from '../../../core/contract/endpoint.ts'
import { platform } from '../../../core/contract/supermarket/platform.ts'
import { runRoutes } from '../network/process.ts'
import { partnerSite } from './site.ts'

const { env } = process
const { PLATFORM_NO: platformNo, PLATFORM_KEY: key } = env
if (!platformNo || !key) throw new Error('PLATFORM_NO and PLATFORM_KEY are needed')
const host = env.HOST ?? '127.0.0.1'
const port = Number(env.PORT ?? 8098)
const base = env.BASE ?? 'http://127.0.0.1:8080'

const routes = partnerSite({
  platformNo,
  key,
  publicUrl: env.PUBLIC_URL ?? `http://${host}:${port}`,
  lateMs: Number(env.LATE_MS ?? 10_000),
  async send(body, headers) {
    const answer = await fetch(`${base}${path}${platform.postback.path}`, { method: 'POST', body, headers })
    return answer.text()
  },
})
runRoutes(routes, port)
