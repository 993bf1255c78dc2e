import { createHash } from 'node:crypto'

/**
 * Where a device stands in the release of a version, from 0 to 99: the same each time it asks, and another for each version. It is
 * offered the version when that is below the percentage, so that widening adds devices and takes none away.
 */
export const bucketOf = (deviceId: string, versionNo: string): number =>
  createHash('sha256').update(`${deviceId}\n${versionNo}`).digest().readUInt32BE(0) % 100

/** What is kept of a device: its number is that of a person's phone. */
export const deviceHash = (deviceId: string): string => createHash('sha256').update(deviceId).digest('hex')
