import { mkdir, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Read, Reading } from './spool.ts'
import { bounds, type FailParams, type ImportFail, Unreadable } from './unreadable.ts'

type Answer = { read: Read } | { why: ImportFail; params: FailParams }

/** What reading one file may take: megabytes of memory, milliseconds. */
const memoryMb = 192
const longestMs = 45_000

/** Builds the program from its sources; what is the same lies in the same file, which appears whole. */
const bundled = async (): Promise<URL> => {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./reader-thread.ts', import.meta.url))],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    write: false,
  })
  const [{ hash, contents }] = outputFiles as [(typeof outputFiles)[number]]
  const file = new URL(`../../.cache/import-reader-${hash.replace(/\W/g, '')}.mjs`, import.meta.url)
  const draft = new URL(`${file.href}.${process.pid}`)
  await mkdir(new URL('.', file), { recursive: true })
  await writeFile(draft, contents)
  await rename(draft, file)
  return file
}

let built: Promise<URL> | undefined
/** The built server has the program beside it; from the sources, each process builds it once. */
const program = async (): Promise<URL> => {
  if (!import.meta.url.endsWith('.ts')) return new URL('./import-reader.js', import.meta.url)
  built ??= bundled()
  return built
}

/** Reads a file in a thread of its own with a limit of memory and of time. @throws {Unreadable} */
export const readFile = async (reading: Reading, o: { memoryMb?: number; longestMs?: number } = {}): Promise<Read> => {
  const url = await program()
  return new Promise((resolve, reject) => {
    const worker = new Worker(url, {
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
}
