import { BadFile, must } from './bad.ts'
import { budgetOf, unpacked, type ZipEntry, type ZipLimits, zipEntries } from './zip.ts'

/** What a workbook may hold. */
export const workbookLimits: ZipLimits = { entries: 200, unpacked: 100 * 1_048_576, ratio: 100 }

const needed = ['[Content_Types].xml', 'xl/workbook.xml']
/** Parts that run, or bring a file of another kind along. */
const active = /vbaProject|^xl\/(activeX|embeddings|macrosheets|dialogsheets|ctrlProps)\/|\.(bin|exe|dll|js|vbs)$/i
const printers = /^xl\/printerSettings\//i
const isXml = (name: string) => /\.(xml|rels|vml)$/i.test(name)
const doctype = /<!(?:DOCTYPE|ENTITY)/i
const longest = 16

/** Text of a part as far as declarations go; of two bytes a letter too. */
const plain = (piece: Buffer): string => piece.toString('latin1').replaceAll('\0', '')

const checkEntry = async (entry: ZipEntry, budget: { left: number }): Promise<string> => {
  const xml = isXml(entry.name)
  const isTypes = entry.name === needed[0]
  let before = ''
  let text = ''
  for await (const piece of unpacked(entry, budget)) {
    if (!xml) continue
    const now = before + plain(piece)
    must(!doctype.test(now), `${entry.name} declares entities`, 'active')
    before = now.slice(-longest)
    if (isTypes) text += plain(piece)
  }
  return text
}

/** A workbook that opens without running, fetching or unpacking anything that nobody asked for. */
export const xlsx = async (bytes: Buffer): Promise<void> => {
  must(bytes.readUInt32LE(0) === 0x04034b50, 'no workbook', 'format')
  const entries = zipEntries(bytes, workbookLimits)
  const names = new Set(entries.map(({ name }) => name))
  must(
    needed.every(name => names.has(name)),
    'no workbook',
    'format',
  )
  const moving = entries.find(({ name }) => active.test(name) && !printers.test(name))
  if (moving) throw new BadFile('active', moving.name)
  const budget = budgetOf(bytes, workbookLimits)
  for (const entry of entries)
    must(!/macroEnabled|vbaProject/i.test(await checkEntry(entry, budget)), 'macros', 'active')
}
