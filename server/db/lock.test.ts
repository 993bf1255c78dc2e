import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { DirectoryInUse, lockDirectory } from './lock.ts'

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'mkopo-lock-'))
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))
const newDirectory = (): string => path.join(fs.mkdtempSync(path.join(root, 'd-')), 'data')
const ownerFile = (directory: string, owner: object): string => {
  const file = path.join(directory, '.lock')
  fs.mkdirSync(directory, { recursive: true })
  fs.writeFileSync(file, JSON.stringify({ started: null, host: os.hostname(), nonce: 'x', ...owner }))
  return file
}
const deadPid = (): number => spawnSync(process.execPath, ['-e', '']).pid

describe('the lock of a directory', () => {
  it('is given to one at a time and makes a private directory', async () => {
    const directory = newDirectory()
    const release = await lockDirectory(directory)
    expect(fs.statSync(directory).mode & 0o777).toBe(0o700)
    await expect(lockDirectory(directory)).rejects.toThrow(`in use by process ${process.pid}`)
    release()
    expect(fs.readdirSync(directory)).toEqual([])
    ;(await lockDirectory(directory))()
  })

  it('is taken over from a process that is gone, also when another has its id now', async () => {
    const directory = newDirectory()
    ownerFile(directory, { pid: deadPid() })
    ;(await lockDirectory(directory))()
    if (!fs.existsSync('/proc/self/stat')) return
    ownerFile(directory, { pid: process.pid, started: '1' })
    ;(await lockDirectory(directory))()
  })

  it('is not taken from a running process', async () => {
    const directory = newDirectory()
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    ownerFile(directory, { pid: other.pid })
    await expect(lockDirectory(directory)).rejects.toBeInstanceOf(DirectoryInUse)
    other.kill()
  })

  it('is taken from another host only after that has been silent for a while', async () => {
    const directory = newDirectory()
    const file = ownerFile(directory, { pid: 1, host: 'elsewhere' })
    await expect(lockDirectory(directory)).rejects.toThrow('on elsewhere')
    const longAgo = new Date(Date.now() - 60_000)
    fs.utimesSync(file, longAgo, longAgo)
    ;(await lockDirectory(directory))()
  })

  it('goes to exactly one of several that find a dead owner', async () => {
    const directory = newDirectory()
    ownerFile(directory, { pid: deadPid() })
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => lockDirectory(directory)))
    const won = outcomes.filter(outcome => outcome.status === 'fulfilled')
    expect(won).toHaveLength(1)
    won[0]?.value()
  })

  it('is not lost to a lock file that is not readable as one', async () => {
    const directory = newDirectory()
    fs.writeFileSync(ownerFile(directory, {}), '')
    ;(await lockDirectory(directory))()
  })
})
