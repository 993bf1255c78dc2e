/**
 * A vendor of airtime as a process of its own. Environment: PORT (0 takes a free one), HOST, DATA_DIR, API_KEY, CALLBACK_URL, SIM_SPEED (1),
 * OPENING_BALANCE (50,000,000), HOLD_MS: for how long a request hangs that gets no answer (30,000). The last digit of a phone decides: 9 is
 * refused, 8 is never answered and nothing comes of it, 7 is never answered and delivered, 6 takes forty seconds; all others are delivered.
 */
import { openAirtimeVendor } from './airtime/vendor.ts'
import { runRoutes } from './network/process.ts'

const { env } = process
const vendor = openAirtimeVendor({
  dir: env.DATA_DIR ?? '.data/airtime',
  apiKey: env.API_KEY ?? 'demo-key',
  callbackUrl: env.CALLBACK_URL ?? '',
  speed: Number(env.SIM_SPEED ?? 1),
  openingBalance: Number(env.OPENING_BALANCE ?? 50_000_000),
  holdMs: Number(env.HOLD_MS ?? 30_000),
})
runRoutes(vendor.routes, 8096, () => vendor.close())
