import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { Config } from '../../config.ts'
import { startSimulator } from '../../demo/simulator.ts'
import type { Log } from '../../log.ts'
import { type PostOnce, postPublic } from '../../outgoing/open-link.ts'
import { type ScoreService, scoreService } from './score-service.ts'

type Place = { log: Log; program: (name: 'score') => string; execArgv?: readonly string[] }

/** The host under which the models of a demo name its score service. */
export const demoScoreHost = 'score.demo.example'

/** Score services on public hosts; a demo has one of its own in a process of its own. */
export const openScore = async (
  { demo, dataDir }: Config,
  { log, program, execArgv }: Place,
): Promise<{ score: ScoreService; stop(): void }> => {
  if (!demo) return { score: scoreService(), stop: () => undefined }
  const simulator = await startSimulator({
    name: 'the score simulator',
    program: program('score'),
    env: { API_KEY: randomBytes(24).toString('base64url') },
    ...(execArgv ? { execArgv } : {}),
    dataDir: path.join(dataDir, 'simulator-score'),
    callbackUrl: '',
    log,
  })
  const post: PostOnce = async (url, sent) => {
    if (url.hostname !== demoScoreHost) return postPublic(url, sent)
    const { body, headers, timeoutMs = 2_000 } = sent
    const signal = AbortSignal.timeout(timeoutMs)
    const answer = await fetch(`${simulator.baseUrl}${url.pathname}`, {
      method: 'POST',
      body,
      headers,
      redirect: 'manual',
      signal,
    })
    return { status: answer.status, text: await answer.text() }
  }
  return { score: scoreService({ post }), stop: () => simulator.stop() }
}
