import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { Config } from '../../config.ts'
import { startSimulator } from '../../demo/simulator.ts'
import type { Log } from '../../log.ts'
import { type BvnService, bvnService } from './bvn-service.ts'

type Place = { log: Log; program: (name: 'bvn') => string; execArgv?: readonly string[] }

/** The bank verification service that is set up; a demo without one has a simulator of its own. */
export const openBvn = async (
  { bvn, demo, dataDir }: Config,
  { log, program, execArgv }: Place,
): Promise<{ bvn?: BvnService; stop(): void }> => {
  if (bvn) return { bvn: bvnService(bvn), stop: () => undefined }
  if (!demo) return { stop: () => undefined }
  const apiKey = randomBytes(24).toString('base64url')
  const simulator = await startSimulator({
    name: 'the BVN simulator',
    program: program('bvn'),
    env: { API_KEY: apiKey },
    ...(execArgv ? { execArgv } : {}),
    dataDir: path.join(dataDir, 'simulator-bvn'),
    callbackUrl: '',
    log,
  })
  return { bvn: bvnService({ baseUrl: simulator.baseUrl, apiKey }), stop: () => simulator.stop() }
}
