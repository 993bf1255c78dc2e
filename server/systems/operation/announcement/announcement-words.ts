import type { Fault } from '../../../http/fault.ts'
import type { Call } from '../../../http/serve.ts'
import { wordsIn } from '../../../messages/rich-text.ts'
import { checkText } from '../sensitive-word/index.ts'
import type { Announcement } from './store.ts'

/** Letters of one search; a longer text is searched line by line, in parts of up to this many. */
const partLength = 8_000

const partsOf = (lines: readonly string[]): string[] => {
  const parts: string[] = []
  for (const line of lines.flatMap(one => one.match(new RegExp(`.{1,${partLength}}`, 'gs')) ?? [])) {
    const last = parts.at(-1)
    if (last !== undefined && last.length + line.length < partLength) parts[parts.length - 1] = `${last}\n${line}`
    else parts.push(line)
  }
  return parts
}

/** Looks through what readers will see, in every language. The refusal is to be returned, not thrown. */
export const checkWords = async (
  call: Pick<Call, 'tx' | 'session'>,
  row: Announcement,
  confirmed: boolean | undefined,
): Promise<Fault | null> => {
  const titles = [row.titleZh, row.titleEn, row.titleSw]
  const contents = [row.contentZh, row.contentEn, row.contentSw].map(html => html && wordsIn(html))
  const lines = [...titles, ...contents].flatMap(text => text?.split('\n') ?? [])
  for (const text of partsOf(lines)) {
    const { announcementNo: objectNo } = row
    const refusal = await checkText(call, {
      scope: 'announcement',
      text,
      confirmed,
      objectType: 'announcement',
      objectNo,
    })
    if (refusal) return refusal
  }
  return null
}
