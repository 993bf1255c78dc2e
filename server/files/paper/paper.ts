import { encode } from 'uqr'
import type { Paper } from '../../../core/contract/common/paper.ts'
import type { Download } from '../../http/serve.ts'
import { documentOf, ops, pageSize } from './document.ts'
import { measured, wrapped } from './glyphs.ts'

const margin = 56
const room = pageSize.width - 2 * margin
const step = 16
const labelRoom = 190
const codeSide = 96

/** Writes from the top down, page after page. */
class Sheet {
  readonly pages: string[][] = [[]]
  y = pageSize.height - margin

  /** Makes room for so much; what does not fit goes to the next page. */
  need(height: number): void {
    if (this.y - height >= margin) return
    this.pages.push([])
    this.y = pageSize.height - margin
  }

  put(operator: string): void {
    this.pages.at(-1)?.push(operator)
  }

  lines(text: string, o: { size?: number; bold?: boolean; grey?: boolean } = {}): void {
    const size = o.size ?? 10
    for (const line of wrapped(text, room, size)) {
      this.need(size * 1.5)
      this.y -= size * 1.5
      this.put(ops.text(margin, this.y, line, o))
    }
  }
}

const drawFacts = (sheet: Sheet, facts: Paper['facts']): void => {
  for (const { label, value } of facts) {
    const lines = wrapped(value, room - labelRoom, 10)
    sheet.need(step * lines.length)
    sheet.put(ops.text(margin, sheet.y - step, label, { grey: true }))
    for (const line of lines) {
      sheet.y -= step
      sheet.put(ops.text(margin + labelRoom, sheet.y, line))
    }
  }
}

/** The first column is of words, the others end at their right. */
const drawRow = (sheet: Sheet, cells: readonly string[], bold: boolean): void => {
  const [first = 0.4, rest] = [0.4, 0.6 / Math.max(1, cells.length - 1)]
  const lines = wrapped(cells[0] ?? '', room * first - 8, 10)
  sheet.need(step * lines.length + 4)
  const top = sheet.y
  for (const line of lines) {
    sheet.y -= step
    sheet.put(ops.text(margin, sheet.y, line, { bold }))
  }
  for (const [at, cell] of cells.slice(1).entries()) {
    const end = margin + room * (first + rest * (at + 1))
    sheet.put(ops.text(end - measured(cell, 10, bold), top - step, cell, { bold }))
  }
  sheet.y -= 4
  sheet.put(ops.line(margin, sheet.y, room))
}

const drawCode = (sheet: Sheet, code: string): void => {
  const { data, size } = encode(code, { ecc: 'M', border: 0 })
  sheet.need(codeSide + 2 * step)
  sheet.y -= codeSide + step
  const side = codeSide / size
  const dark = data.flatMap((row, at) =>
    row.flatMap((isDark, x) => (isDark ? [[margin + x * side, sheet.y + codeSide - (at + 1) * side] as const] : [])),
  )
  sheet.put(ops.squares(dark, side))
  sheet.y -= step
  sheet.put(ops.text(margin, sheet.y, code, { size: 9, grey: true }))
}

/** A page for the printer as a PDF. */
export const pdfOf = (paper: Paper): Buffer => {
  const sheet = new Sheet()
  sheet.lines(paper.title, { size: 18, bold: true })
  if (paper.lead) sheet.lines(paper.lead, { size: 11 })
  sheet.y -= 8
  drawFacts(sheet, paper.facts)
  if (paper.table) {
    sheet.y -= 12
    drawRow(sheet, paper.table.columns, true)
    for (const row of paper.table.rows) drawRow(sheet, row, false)
  }
  sheet.y -= 8
  for (const note of paper.notes) sheet.lines(note)
  if (paper.code) drawCode(sheet, paper.code)
  return documentOf(sheet.pages)
}

/** The same as a file to take away. */
export const pdfFile = (paper: Paper, name: string): Download => {
  const bytes = pdfOf(paper)
  return { bytes, name: `${name}.pdf`, type: 'application/pdf', size: bytes.length }
}
