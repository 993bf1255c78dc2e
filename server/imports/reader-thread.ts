import { parentPort, workerData } from 'node:worker_threads'
import { type Reading, spooled } from './spool.ts'
import { Unreadable } from './unreadable.ts'

/** Runs apart from the server, so that a file that takes long, or too much, hurts nobody else. */
spooled(workerData as Reading).then(
  read => parentPort?.postMessage({ read }),
  (error: unknown) => {
    if (!(error instanceof Unreadable)) throw error
    parentPort?.postMessage({ why: error.why, params: error.params })
  },
)
