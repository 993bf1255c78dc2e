/**
 * MTN MoMo as a process of its own. Environment: PORT (8090; 0 takes a free one), HOST (127.0.0.1), DATA_DIR
 * (.data/momo), CALLBACK_URL, SUBSCRIPTION_KEY, API_USER, API_KEY, SPEED (1), OPENING_BALANCE (2,000,000,000).
 */
import { serveMomo } from './momo/serve.ts'

const { env } = process
const simulator = await serveMomo({
  port: Number(env.PORT ?? 8090),
  host: env.HOST ?? '127.0.0.1',
  dir: env.DATA_DIR ?? '.data/momo',
  callbackUrl: env.CALLBACK_URL ?? null,
  keys: {
    subscriptionKey: env.SUBSCRIPTION_KEY ?? 'demo-subscription',
    apiUser: env.API_USER ?? 'demo-user',
    apiKey: env.API_KEY ?? 'demo-key',
  },
  speed: Number(env.SPEED ?? 1),
  openingBalance: Number(env.OPENING_BALANCE ?? 2_000_000_000),
})
process.stdout.write(`${JSON.stringify({ listening: simulator.port })}\n`)

const stop = () => {
  simulator.close()
  process.exit(0)
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
