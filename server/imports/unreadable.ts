import type { dictionaries } from '../../core/contract/dictionaries.ts'

export type ImportFail = (typeof dictionaries.IMPORT_FAIL)[number]
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
  bytes: 20 * 1024 * 1024,
  /** Bytes of everything in an archive, unpacked; counted while it is unpacked, whatever the archive says. */
  unpacked: 100 * 1024 * 1024,
  /** How much greater an unpacked part may be than the packed one. */
  ratio: 100,
  entries: 200,
  columns: 200,
  /** Characters of a cell. */
  cell: 32_767,
} as const
