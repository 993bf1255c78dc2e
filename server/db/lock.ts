import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

type Owner = { pid: number; started: string | null; host: string; nonce: string }

const heartbeatMs = 5_000
/** How long a silent owner on another host (another container on the same volume) still counts as alive. */
const silenceMs = 20_000

/** Another process holds the data directory. */
export class DirectoryInUse extends Error {
  override name = 'DirectoryInUse'
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

/** When the process started, in kernel ticks: tells a process from a later one with the same id. */
const startOf = (pid: number): string | null => {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}

const runs = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}

const lastSign = (file: string): number => fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

const isAlive = (owner: Owner, file: string): boolean => {
  if (owner.host !== os.hostname()) return Date.now() - lastSign(file) < silenceMs
  if (!runs(owner.pid)) return false
  const started = startOf(owner.pid)
  return started === null || owner.started === null || started === owner.started
}

const read = (file: string): string | undefined => {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** The owner in a lock file; an empty file (the disk was full) has none. */
const ownerOf = (body: string): Owner | undefined => {
  try {
    return JSON.parse(body) as Owner
  } catch {
    return undefined
  }
}

const quietly = (act: () => void): void => {
  try {
    act()
  } catch {}
}

/** Removes the lock of a dead owner; `guard` lets only one of several contenders do it. */
const takeOver = (file: string, seen: string): void => {
  const guard = `${file}.takeover`
  try {
    fs.mkdirSync(guard)
  } catch {
    quietly(() => {
      if (Date.now() - fs.statSync(guard).mtimeMs > 10_000) fs.rmdirSync(guard)
    })
    return
  }
  quietly(() => {
    if (read(file) === seen) fs.unlinkSync(file)
  })
  quietly(() => fs.rmdirSync(guard))
}

const tryCreate = (file: string, owner: Owner): boolean => {
  const draft = `${file}.${owner.nonce}`
  fs.writeFileSync(draft, JSON.stringify(owner), { mode: 0o600 })
  try {
    fs.linkSync(draft, file)
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    return false
  } finally {
    fs.unlinkSync(draft)
  }
}

/**
 * Makes this process the only one in a directory until the returned function is called or the process ends.
 * The embedded engine takes no lock of its own, and two of them in one directory destroy it.
 */
export const lockDirectory = async (directory: string): Promise<() => void> => {
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 })
  const file = path.join(directory, '.lock')
  const owner: Owner = {
    pid: process.pid,
    started: startOf(process.pid),
    host: os.hostname(),
    nonce: crypto.randomUUID(),
  }
  for (let round = 0; round < 200; round++) {
    if (tryCreate(file, owner)) return hold(file, JSON.stringify(owner))
    const seen = read(file)
    if (seen === undefined) continue
    const other = ownerOf(seen)
    if (other && isAlive(other, file)) {
      throw new DirectoryInUse(`${directory} is in use by process ${other.pid} on ${other.host}`)
    }
    takeOver(file, seen)
    await pause(5 + Math.random() * 25)
  }
  throw new DirectoryInUse(`${directory} could not be locked`)
}

const hold = (file: string, body: string): (() => void) => {
  const heartbeat = setInterval(() => quietly(() => fs.utimesSync(file, new Date(), new Date())), heartbeatMs)
  heartbeat.unref()
  const release = (): void => {
    clearInterval(heartbeat)
    process.removeListener('exit', release)
    if (read(file) === body) quietly(() => fs.unlinkSync(file))
  }
  process.once('exit', release)
  return release
}
