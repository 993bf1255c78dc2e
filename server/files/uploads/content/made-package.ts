import { crc32 } from 'node:zlib'

/** A stored archive with files of these names, as small as one can be; `salt` makes each another one. */
export const packageOf = (salt: string, names: readonly string[] = ['AndroidManifest.xml', 'classes.dex']): Buffer => {
  const parts: Buffer[] = []
  const listed: Buffer[] = []
  let at = 0
  for (const name of names) {
    const [title, body] = [Buffer.from(name), Buffer.from(`${name} ${salt}`)]
    const sums = Buffer.alloc(12)
    sums.writeUInt32LE(crc32(body), 0)
    sums.writeUInt32LE(body.length, 4)
    sums.writeUInt32LE(body.length, 8)
    const head = Buffer.alloc(14)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(20, 4)
    const lengths = Buffer.alloc(4)
    lengths.writeUInt16LE(title.length, 0)
    const part = Buffer.concat([head, sums, lengths, title, body])
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(20, 4)
    entry.writeUInt16LE(20, 6)
    sums.copy(entry, 16)
    entry.writeUInt16LE(title.length, 28)
    entry.writeUInt32LE(at, 42)
    parts.push(part)
    listed.push(Buffer.concat([entry, title]))
    at += part.length
  }
  const list = Buffer.concat(listed)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(names.length, 8)
  end.writeUInt16LE(names.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, list, end])
}
