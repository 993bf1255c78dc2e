/** Widths of Helvetica from the space to the tilde, in thousandths of the size. */
const widths = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
  556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
  722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
  556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
  260, 334, 584,
]
/** Marks of print that stand at other places than their numbers say. */
const marks: Readonly<Record<string, number>> = {
  '€': 128,
  '…': 133,
  '‘': 145,
  '’': 146,
  '“': 147,
  '”': 148,
  '•': 149,
  '–': 150,
  '—': 151,
}

/** The byte of a character in the encoding of the Latin fonts; null where they have none. */
export const latinOf = (char: string): number | null => {
  const code = char.codePointAt(0) ?? 0
  if (code >= 32 && code <= 126) return code
  if (code >= 160 && code <= 255) return code
  return marks[char] ?? null
}

const widthOf = (char: string): number => {
  const code = latinOf(char)
  return code === null ? 1000 : (widths[code - 32] ?? 556)
}

/** How wide a line is at a size. Bold is a little wider. */
export const measured = (text: string, size: number, bold = false): number =>
  ([...text].reduce((sum, char) => sum + widthOf(char), 0) / 1000) * size * (bold ? 1.07 : 1)

/** Breaks a text into lines that are not wider than the room: between words, or between characters where there are none. */
export const wrapped = (text: string, room: number, size: number): string[] => {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/(?<= )|(?=[　-鿿])/)) {
    if (line && measured((line + word).trimEnd(), size) > room) {
      lines.push(line.trimEnd())
      line = ''
    }
    line += word
    while (measured(line.trimEnd(), size) > room && line.length > 1) {
      const fits = [...line].findIndex((_, at, all) => measured(all.slice(0, at + 1).join(''), size) > room)
      const cut = [...line].slice(0, Math.max(1, fits)).join('')
      lines.push(cut)
      line = line.slice(cut.length)
    }
  }
  return line.trim() || lines.length === 0 ? [...lines, line.trimEnd()] : lines
}
