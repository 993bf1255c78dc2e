import { crc32 } from 'node:zlib'
import { type Entry, fromBufferPromise, getFileNameLowLevel, openPromise, validateFileName, type ZipFile } from 'yauzl'

/** Why an archive is not read: it is broken, locked, unpacks to more than it may, or names a file that leads elsewhere. */
export type ArchiveFlaw = 'damaged' | 'locked' | 'unpacked' | 'name'

/** An archive that an honest program would not have written. */
export class BadArchive extends Error {
  override name = 'BadArchive'
  readonly flaw: ArchiveFlaw

  constructor(flaw: ArchiveFlaw, detail: string, cause?: unknown) {
    super(detail, { cause })
    this.flaw = flaw
  }
}

/** What any archive may hold, counted while it is unpacked, whatever it says of itself. */
export const archiveLimits = {
  bytes: 20 * 1_048_576,
  entries: 200,
  /** Bytes of all files together, unpacked. */
  unpacked: 100 * 1_048_576,
  /** How much greater than its packed bytes a file may be, once it is greater than `small`. */
  ratio: 100,
  small: 262_144,
} as const

const must: (holds: unknown, detail: string, flaw?: ArchiveFlaw) => asserts holds = (
  holds,
  detail,
  flaw = 'damaged',
) => {
  if (!holds) throw new BadArchive(flaw, detail)
}

/** What stands in the archive around the bytes of a file: the head before, the sums that may follow, the entry in the list, the end. */
const bytesOf = { head: 30, sums: 24, listed: 46, end: 22 }
const [stored, deflated] = [0, 8]

type Part = { entry: Entry; name: string; from: number; to: number }

const nameOf = (entry: Entry): string => {
  const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true)
  const leads = name === '' || /[\0:\\]|(^|\/)\.(\/|$)/.test(name)
  must(validateFileName(name) === null && !leads, 'a name that leads elsewhere', 'name')
  return name
}

const checked = (entry: Entry): string => {
  const name = nameOf(entry)
  const { compressionMethod, compressedSize, uncompressedSize } = entry
  must(!entry.isEncrypted(), `${name} is locked`, 'locked')
  must(compressionMethod === stored || compressionMethod === deflated, `${name} is packed in another way`)
  const most = Math.max(compressedSize * archiveLimits.ratio, archiveLimits.small)
  must(uncompressedSize <= most, `${name} unpacks to too much`, 'unpacked')
  return name
}

/** The files of the list, each as its own head has it too. */
const partsOf = async (zip: ZipFile): Promise<Part[]> => {
  must(zip.fileSize <= archiveLimits.bytes, `${zip.fileSize} bytes`, 'unpacked')
  must(zip.entryCount <= archiveLimits.entries, `${zip.entryCount} files`, 'unpacked')
  const parts: Part[] = []
  for await (const entry of zip.eachEntry()) {
    const name = checked(entry)
    const head = await zip.readLocalFileHeaderPromise(entry)
    must(head.fileName.equals(entry.fileNameRaw), `${name} has two names`)
    const from = entry.relativeOffsetOfLocalHeader
    parts.push({ entry, name, from, to: head.fileDataStart + entry.compressedSize })
  }
  return parts
}

/** Files lie one after the other, from the first byte to the list, and the list to the last byte: nothing else is in there, and nothing twice. */
const checkPlaces = (zip: ZipFile, parts: readonly Part[]): void => {
  const listed = parts.reduce(
    (sum, { entry }) => sum + bytesOf.listed + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength,
    0,
  )
  const list = zip.fileSize - bytesOf.end - zip.comment.length - listed
  let last = 0
  for (const { name, from, to } of [...parts].sort((a, b) => a.from - b.from)) {
    must(from >= last && from - last <= (last && bytesOf.sums), `what stands before ${name}`)
    last = to
  }
  must(list >= last && list - last <= bytesOf.sums, 'what stands before the list')
}

const check = async (zip: ZipFile): Promise<ReadonlyMap<string, Entry>> => {
  const parts = await partsOf(zip)
  const names = new Set(parts.map(({ name }) => name.toLowerCase()))
  must(names.size === parts.length && parts.length > 0, 'two files of one name, or none')
  const says = parts.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0)
  must(says <= archiveLimits.unpacked, 'unpacks to too much', 'unpacked')
  checkPlaces(zip, parts)
  return new Map(parts.map(({ name, entry }) => [name, entry]))
}

/** Errors of the reader are those of the file, as long as the file was there. */
const asFlaw = (error: unknown): unknown => {
  if (error instanceof BadArchive || (error as NodeJS.ErrnoException).syscall) return error
  return new BadArchive('damaged', error instanceof Error ? error.message : 'cannot be read', error)
}

/** An opened ZIP file whose list of entries matches its bytes, without gaps or overlaps. */
export type Archive = {
  has: (name: string) => boolean
  names: readonly string[]
  /** A file, unpacked piece by piece. @throws {BadArchive} */
  read: (name: string) => AsyncGenerator<Buffer>
  close: () => void
}

/**
 * Opens an archive, a file on disk or bytes, and holds its list against what is there, before anything is unpacked.
 * @throws {BadArchive}
 */
export const openArchive = async (source: string | Buffer): Promise<Archive> => {
  const options = { autoClose: false, decodeStrings: false, validateEntrySizes: false }
  const open = typeof source === 'string' ? openPromise(source, options) : fromBufferPromise(source, options)
  const zip = await open.catch((error: unknown) => Promise.reject(asFlaw(error)))
  const entries = await check(zip).catch((error: unknown) => {
    zip.close()
    throw asFlaw(error)
  })

  async function* read(name: string): AsyncGenerator<Buffer> {
    const entry = entries.get(name)
    must(entry, `${name} is not there`)
    let [length, sum] = [0, 0]
    try {
      for await (const piece of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
        length += piece.length
        must(length <= entry.uncompressedSize, `${name} unpacks to more than it says`, 'unpacked')
        sum = crc32(piece, sum)
        yield piece
      }
    } catch (error) {
      throw asFlaw(error)
    }
    must(length === entry.uncompressedSize && sum === entry.crc32, `${name} unpacks to something else`)
  }

  return { has: name => entries.has(name), names: [...entries.keys()], read, close: () => zip.close() }
}
