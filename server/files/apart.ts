import { mkdir, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'

/** Programs that look into files apart from the server, each by the place of its source. */
const programs = {
  'import-reader': './imports/read/reader-thread.ts',
  'upload-inspector': './uploads/inspector-thread.ts',
} as const
/** The name of such a program. */
export type Program = keyof typeof programs

/** What work on one file may take. Megabytes count the memory of JavaScript: a library with memory of its own bounds that itself. */
export type ThreadLimits = { memoryMb: number; longestMs: number }

/** The thread took more time or memory than it may. */
export class TooMuch extends Error {
  override name = 'TooMuch'
}

/** Builds a program from its sources; what is the same lies in the same file, which appears whole. */
const bundled = async (program: Program): Promise<URL> => {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(programs[program], import.meta.url))],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    write: false,
  })
  const [{ hash, contents }] = outputFiles as [(typeof outputFiles)[number]]
  const file = new URL(`../../.cache/${program}-${hash.replace(/\W/g, '')}.mjs`, import.meta.url)
  const draft = new URL(`${file.href}.${process.pid}`)
  await mkdir(new URL('.', file), { recursive: true })
  await writeFile(draft, contents)
  await rename(draft, file)
  return file
}

const built = new Map<Program, Promise<URL>>()
/** The built server has its programs beside it; from the sources, each process builds one once. */
const programOf = (program: Program): Promise<URL> => {
  if (!import.meta.url.endsWith('.ts')) return Promise.resolve(new URL(`./${program}.js`, import.meta.url))
  const begun = built.get(program) ?? bundled(program)
  built.set(program, begun)
  return begun
}

/**
 * Runs a program in a thread of its own, so that a file that takes long, or too much, hurts nobody else.
 * @returns what it posts @throws {TooMuch} · whatever it throws
 */
export const apart = async <A>(program: Program, given: unknown, { memoryMb, longestMs }: ThreadLimits): Promise<A> => {
  const url = await programOf(program)
  return new Promise((resolve, reject) => {
    const worker = new Worker(url, { workerData: given, resourceLimits: { maxOldGenerationSizeMb: memoryMb } })
    const timer = setTimeout(() => {
      reject(new TooMuch(`more than ${longestMs} ms`))
      void worker.terminate()
    }, longestMs)
    worker.once('message', (answer: A) => {
      resolve(answer)
      void worker.terminate()
    })
    worker.once('error', error => {
      const isMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
      reject(isMemory ? new TooMuch(`more than ${memoryMb} MB`) : error)
    })
    worker.once('exit', () => {
      clearTimeout(timer)
      reject(new Error(`${program} ended without an answer`))
    })
  })
}
