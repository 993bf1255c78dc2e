/**
 * MTN MoMo as a process of its own. Environment: that of every simulated network (PORT 8090, DATA_DIR .data/momo) and
 * SUBSCRIPTION_KEY, API_USER, API_KEY.
 */
import { momoProtocol } from './momo/channel.ts'
import { runNetwork } from './network/serve.ts'

const { env } = process
await runNetwork(
  momoProtocol({
    subscriptionKey: env.SUBSCRIPTION_KEY ?? 'demo-subscription',
    apiUser: env.API_USER ?? 'demo-user',
    apiKey: env.API_KEY ?? 'demo-key',
  }),
  { port: 8090, dir: '.data/momo' },
)
