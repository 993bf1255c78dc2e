import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildServer } from '../../build/server.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cache = path.join(root, '.cache')
const prefix = 'programs-'

/** What is started by tests only. */
const more = { 'crash-child': 'server/db/crash-child.ts', 'simulator-bank': 'server/simulators/bank.ts' }

/** A process of tests is ended without notice: what earlier ones have left is cleared away here. */
const build = async (): Promise<string> => {
  mkdirSync(cache, { recursive: true })
  for (const name of readdirSync(cache)) {
    const isLeft = name.startsWith(prefix) && existsSync('/proc') && !existsSync(`/proc/${name.slice(prefix.length)}`)
    if (isLeft) rmSync(path.join(cache, name), { recursive: true, force: true })
  }
  const dir = path.join(cache, `${prefix}${process.pid}`)
  await buildServer(root, dir, { more })
  return dir
}

let built: Promise<string> | undefined

/** What tests start in a process of its own. */
export type Program =
  | 'simulator-momo'
  | 'simulator-airtel'
  | 'simulator-sms'
  | 'simulator-mail'
  | 'simulator-applicant'
  | keyof typeof more

/** The file of a program that tests start, from the sources as they are: built once a process, which starts it four times as fast as compiling it does. */
export const programOf = async (name: Program): Promise<string> => path.join(await (built ??= build()), `${name}.js`)
