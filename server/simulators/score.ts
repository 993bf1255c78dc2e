/**
 * A score service as a process of its own. Environment: PORT (0 takes a free one), HOST, API_KEY, SCORE_MODE (fine, silent, error, range),
 * HOLD_MS: for how long a request hangs that gets no answer (30,000). A model whose number ends in `-SILENT`, `-ERROR` or `-RANGE` gets
 * that fault, whatever the mode.
 */

import { runRoutes } from './network/process.ts'
import { scoreModes, scoreVendor } from './score/vendor.ts'

const { env } = process
const routes = scoreVendor({
  apiKey: env.API_KEY ?? 'demo-key',
  mode: scoreModes.find(one => one === env.SCORE_MODE) ?? 'fine',
  holdMs: Number(env.HOLD_MS ?? 30_000),
})
runRoutes(routes, 8097)
