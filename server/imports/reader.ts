import { Worker, type WorkerOptions } from 'node:worker_threads'
import type { Read, Reading } from './spool.ts'
import { bounds, type FailParams, type ImportFail, Unreadable } from './unreadable.ts'

type Answer = { read: Read } | { why: ImportFail; params: FailParams }

/** What reading one file may take: megabytes of memory, milliseconds. */
const memoryMb = 192
const longestMs = 45_000

/** The built server has the program beside it; the sources need what reads them first. */
const fromSource = (url: string) =>
  `import('tsx/esm/api').then(({ tsImport }) => tsImport(${JSON.stringify(url)}, ${JSON.stringify(url)}))`
const started = (o: WorkerOptions): Worker => {
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('./import-reader.js', import.meta.url), o)
  return new Worker(fromSource(new URL('./reader-thread.ts', import.meta.url).href), { ...o, eval: true })
}

/** Reads a file in a thread of its own with a limit of memory and of time. @throws {Unreadable} */
export const readFile = (reading: Reading, o: { memoryMb?: number; longestMs?: number } = {}): Promise<Read> =>
  new Promise((resolve, reject) => {
    const worker = started({
      workerData: reading,
      resourceLimits: { maxOldGenerationSizeMb: o.memoryMb ?? memoryMb },
    })
    const tooBig = () => new Unreadable('too_big', { max: bounds.unpacked / 1_048_576 })
    const timer = setTimeout(() => {
      reject(tooBig())
      void worker.terminate()
    }, o.longestMs ?? longestMs)
    worker.once('message', (answer: Answer) => {
      if ('read' in answer) resolve(answer.read)
      else reject(new Unreadable(answer.why, answer.params))
      void worker.terminate()
    })
    worker.once('error', error =>
      reject((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooBig() : error),
    )
    worker.once('exit', () => {
      clearTimeout(timer)
      reject(new Error('the reader ended without an answer'))
    })
  })
