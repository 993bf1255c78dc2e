import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

/** A disk of its own at a directory, which is gone after the tests. */
export const mounted = (kind: 'tmpfs' | 'loop', ...args: string[]) => {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'mkopo-disk-'))
  if (kind === 'tmpfs') run('mount', '-t', 'tmpfs', ...args, 'tmpfs', directory)
  else run('mount', '-o', 'loop,noatime,commit=300', ...args, directory)
  return {
    directory,
    close() {
      run('umount', '-l', directory)
      fs.rmdirSync(directory)
    },
  }
}

const tried = (kind: 'tmpfs' | 'loop'): boolean => {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') return false
  try {
    if (kind === 'tmpfs') {
      mounted('tmpfs', '-o', 'size=1m').close()
      return true
    }
    const image = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'mkopo-disk-')), 'image')
    newImage(image, 16)
    mounted('loop', image).close()
    fs.rmSync(path.dirname(image), { recursive: true })
    return true
  } catch {
    return false
  }
}

/** An ext4 in a file; with its journal, as disks have it. */
export const newImage = (file: string, megabytes: number) => {
  fs.writeFileSync(file, '')
  fs.truncateSync(file, megabytes * 1024 * 1024)
  run('mkfs.ext4', '-q', '-F', file)
}

/** What the disk holds at this moment, without what the system still keeps in memory. */
export const copyOfDisk = (image: string, to: string) => run('cp', '--sparse=always', image, to)

/** What a system does with a disk after a power cut. */
export const repaired = (image: string) => {
  const { status, stdout } = spawnSync('fsck.ext4', ['-p', image], { encoding: 'utf8' })
  if ((status ?? 8) > 1) throw new Error(`the disk cannot be repaired: ${stdout}`)
}

/** Takes all that is left of a disk; `free` gives it back. */
export const fillDisk = (directory: string) => {
  const file = path.join(directory, 'ballast')
  const out = fs.openSync(file, 'w')
  try {
    for (const size of [1 << 20, 1 << 12]) {
      const block = Buffer.alloc(size)
      try {
        for (;;) fs.writeSync(out, block)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    }
  } finally {
    fs.closeSync(out)
  }
  return { free: () => fs.rmSync(file) }
}

export const canMountMemory = tried('tmpfs')
export const canMountLoop = tried('loop')
