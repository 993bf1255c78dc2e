import type { HitRow } from '../../../core/contract/operation/sensitive-word.ts'

/** A text with the words marked that stand in it. */
export const Marked = ({ text, places }: { text: string; places: readonly { start: number; end: number }[] }) => {
  const parts: { from: number; text: string; marked: boolean }[] = []
  let at = 0
  for (const { start, end } of places) {
    if (start < at) continue
    parts.push({ from: at, text: text.slice(at, start), marked: false })
    parts.push({ from: start, text: text.slice(start, end), marked: true })
    at = end
  }
  parts.push({ from: at, text: text.slice(at), marked: false })
  return (
    <span className="mk-marked">
      {parts.map(part =>
        part.marked ? <mark key={part.from}>{part.text}</mark> : <span key={part.from}>{part.text}</span>,
      )}
    </span>
  )
}

/** What was written, with the word that was found in it. */
export const MarkedText = ({ row }: { row: Pick<HitRow, 'hitText' | 'hitStart' | 'hitEnd'> }) => (
  <Marked text={row.hitText} places={[{ start: row.hitStart, end: row.hitEnd }]} />
)
