import { openPromise } from 'yauzl'
import { BadFile, must } from './bad.ts'

/** As a header says it. */
export const androidType = 'application/vnd.android.package-archive'
/** What every package has: what the app is, and what says so. */
const manifest = 'AndroidManifest.xml'
/** More files than any app has. */
const maxFiles = 200_000

/**
 * Reads the list of contents of a package on disk; nothing is unpacked.
 * @throws {BadFile} when it is no archive, or none of an Android app
 */
export const androidPackage = async (path: string): Promise<void> => {
  const zip = await openPromise(path, { autoClose: false }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).syscall) throw error
    throw new BadFile('format', error instanceof Error ? error.message : 'no archive')
  })
  try {
    must(zip.entryCount <= maxFiles, `${zip.entryCount} files`)
    let found = false
    for await (const entry of zip.eachEntry()) found ||= entry.fileName === manifest
    must(found, `no ${manifest}`, 'format')
  } catch (error) {
    throw error instanceof BadFile ? error : new BadFile('damaged', error instanceof Error ? error.message : 'damaged')
  } finally {
    zip.close()
  }
}
