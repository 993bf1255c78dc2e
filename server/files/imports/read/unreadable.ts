import type { importFails } from '../../../../core/contract/common/imports.ts'
import type { ValueOf } from '../../../../core/contract/fields.ts'
import { archiveLimits } from '../../archive.ts'

export type ImportFail = ValueOf<typeof importFails>
/** Values for the places of a failure's words. */
export type FailParams = Record<string, string | number>

/** A file that cannot be taken in as a whole, and why. */
export class Unreadable extends Error {
  override name = 'Unreadable'
  readonly why: ImportFail
  readonly params: FailParams

  constructor(why: ImportFail, params: FailParams = {}) {
    super(why)
    this.why = why
    this.params = params
  }
}

/** A row of a table as it was read: where it stands in the file, and its cells as text. */
export type Line = { no: number; cells: string[] }

/** What one file may hold, whatever its kind. */
export const bounds = {
  /** Bytes of a file, packed. */
  bytes: archiveLimits.bytes,
  /** Megabytes of everything in an archive, unpacked. */
  unpacked: archiveLimits.unpacked / 1_048_576,
  columns: 200,
  /** Characters of a cell. */
  cell: 32_767,
} as const
