import type { Cell } from './cell.ts'

/** Where a file stands: all that is needed to go on with it, after a crash as well. */
export type Written = {
  /** Bytes of the file. */
  offset: number
  /** Rows, the header among them. */
  rows: number
  /** Of the contents that are still being packed: their checksum, and their bytes unpacked and packed. */
  crc: number
  size: number
  packed: number
}

/** Part of a file, and where the file stands behind it. */
export type Part = { bytes: Buffer; written: Written }

/** Some rows as they will stand in the file, wherever that is; `plain` are the bytes before they were packed. */
export type Piece = { bytes: Buffer; rows: number; plain?: Buffer }

type Rows = readonly (readonly Cell[])[]

/** A kind of file that is written piece by piece; what was written is never looked at again. */
export type Writer = {
  type: string
  /** Most rows below the header that such a file can hold. */
  maxRows: number
  /** With `asTyped` a spreadsheet leaves what people type below the header as it is: no number loses its zeros. */
  begin: (header: readonly string[], o?: { asTyped?: boolean }) => Part
  rows: (at: Written, rows: Rows) => Part
  /** Rows that will follow a number of others, prepared in parallel; {@link behind} puts them in place. */
  piece: (above: number, rows: Rows) => Promise<Piece>
  behind: (at: Written, piece: Piece) => Part
  end: (at: Written) => Part
}

/** How far a file is before its first byte. */
export const nothing: Written = { offset: 0, rows: 0, crc: 0, size: 0, packed: 0 }

/** Two parts that stand one behind the other. */
export const together = (first: Part, second: Part): Part => ({
  bytes: Buffer.concat([first.bytes, second.bytes]),
  written: second.written,
})
