import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildServer } from '../../build/server.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The server with fault points, as this run built it. The product's own build has none. */
export const faultyServer = () => path.join(process.env.FAULTY_SERVER ?? '', 'index.js')

/** Builds it, once for all files of a run. */
export default async () => {
  const own = path.join(root, '.cache', `faults-${process.pid}`)
  process.env.FAULTY_SERVER = path.join(own, 'dist/server')
  await buildServer(root, process.env.FAULTY_SERVER, { faults: 'tests/faults/fault-point.ts' })
  return () => fs.rmSync(own, { recursive: true, force: true })
}
