import { type Archive, BadArchive, openArchive } from '../../archive.ts'
import type { Refusal } from '../store.ts'
import { BadFile, must } from './bad.ts'

const needed = ['[Content_Types].xml', 'xl/workbook.xml']
/** Parts that run, or bring a file of another kind along. */
const active = /vbaProject|^xl\/(activeX|embeddings|macrosheets|dialogsheets|ctrlProps)\/|\.(bin|exe|dll|js|vbs)$/i
const printers = /^xl\/printerSettings\//i
const isXml = (name: string) => /\.(xml|rels|vml)$/i.test(name)
const doctype = /<!(?:DOCTYPE|ENTITY)/i
const longest = 16

/** Text of a part as far as declarations go; of two bytes a letter too. */
const plain = (piece: Buffer): string => piece.toString('latin1').replaceAll('\0', '')

/** Unpacks a part to its end; answers its text if it lists the kinds of the others. */
const checkPart = async (archive: Archive, name: string): Promise<string> => {
  let before = ''
  let text = ''
  for await (const piece of archive.read(name)) {
    if (!isXml(name)) continue
    const now = before + plain(piece)
    must(!doctype.test(now), `${name} declares entities`, 'active')
    before = now.slice(-longest)
    if (name === needed[0]) text += plain(piece)
  }
  return text
}

const check = async (archive: Archive): Promise<void> => {
  must(needed.every(archive.has), 'no workbook', 'format')
  const moving = archive.names.find(name => active.test(name) && !printers.test(name))
  if (moving) throw new BadFile('active', moving)
  for (const name of archive.names)
    must(!/macroEnabled|vbaProject/i.test(await checkPart(archive, name)), 'macros', 'active')
}

const refusals: Readonly<Record<BadArchive['flaw'], Refusal>> = {
  damaged: 'damaged',
  locked: 'damaged',
  unpacked: 'unpacked',
  name: 'active',
}

/** A workbook that opens without running, fetching or unpacking anything that nobody asked for. */
export const xlsx = async (bytes: Buffer): Promise<void> => {
  try {
    const archive = await openArchive(bytes)
    await check(archive)
  } catch (error) {
    throw error instanceof BadArchive ? new BadFile(refusals[error.flaw], error.message) : error
  }
}
