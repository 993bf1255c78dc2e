/**
 * Airtel Money as a process of its own. Environment: that of every simulated network (PORT 8091, DATA_DIR .data/airtel)
 * and CLIENT_ID, CLIENT_SECRET, PIN, PRIVATE_KEY (PEM), CALLBACK_KEY (none: callbacks are not signed).
 */
import { airtelProtocol } from './airtel/channel.ts'
import { runNetwork } from './network/serve.ts'

const { env } = process
if (!env.PRIVATE_KEY) throw new Error('PRIVATE_KEY is missing')
await runNetwork(
  airtelProtocol({
    clientId: env.CLIENT_ID ?? 'demo-client',
    clientSecret: env.CLIENT_SECRET ?? 'demo-secret',
    pin: env.PIN ?? '1234',
    privateKey: env.PRIVATE_KEY,
    callbackKey: env.CALLBACK_KEY || null,
  }),
  { port: 8091, dir: '.data/airtel' },
)
