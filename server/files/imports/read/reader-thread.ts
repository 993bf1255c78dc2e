import { parentPort, workerData } from 'node:worker_threads'
import { type Reading, spooled } from '../spool.ts'
import type { Answer } from './reader.ts'
import { Unreadable } from './unreadable.ts'

const answered = (answer: Answer) => parentPort?.postMessage(answer)

spooled(workerData as Reading).then(
  read => answered({ read }),
  (error: unknown) => {
    if (!(error instanceof Unreadable)) throw error
    answered({ why: error.why, params: error.params })
  },
)
