import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildServer } from '../../build/server.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const outdir = path.join(root, '.cache/faults/dist/server')

/** The server with fault points. The product's own build has none. */
export const faultyServer = path.join(outdir, 'index.js')

/** Builds it, once for all files of a run. */
export default async () => {
  await buildServer(root, outdir, { faults: 'tests/faults/fault-point.ts' })
}
