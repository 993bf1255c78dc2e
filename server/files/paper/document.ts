import { latinOf } from './glyphs.ts'

/** A4 in points. */
export const pageSize = { width: 595, height: 842 }
const fonts = { regular: 'F1', bold: 'F2', chinese: 'F3' } as const

const hex = (char: string): string => (char.codePointAt(0) ?? 0xfffd).toString(16).padStart(4, '0').slice(-4)
const shown = (byte: number): string => `\\${byte.toString(8).padStart(3, '0')}`

/** A line as operators: what the Latin fonts lack is drawn by the Chinese one. */
const drawn = (text: string, font: 'regular' | 'bold', size: number): string => {
  const runs: { latin: boolean; text: string }[] = []
  for (const char of text) {
    const latin = latinOf(char) !== null
    const last = runs.at(-1)
    if (last?.latin === latin) last.text += char
    else runs.push({ latin, text: char })
  }
  return runs
    .map(run =>
      run.latin
        ? `/${fonts[font]} ${size} Tf (${[...run.text].map(char => shown(latinOf(char) as number)).join('')}) Tj`
        : `/${fonts.chinese} ${size} Tf <${[...run.text].map(hex).join('')}> Tj`,
    )
    .join(' ')
}

/** Operators of a page, from its lower left corner. */
export const ops = {
  text: (x: number, y: number, text: string, { size = 10, bold = false, grey = false } = {}): string =>
    `${grey ? '0.4' : '0'} g BT ${x.toFixed(2)} ${y.toFixed(2)} Td ${drawn(text, bold ? 'bold' : 'regular', size)} ET`,
  line: (x: number, y: number, width: number): string =>
    `0.7 G 0.5 w ${x.toFixed(2)} ${y.toFixed(2)} m ${(x + width).toFixed(2)} ${y.toFixed(2)} l S`,
  squares: (places: readonly (readonly [x: number, y: number])[], side: number): string =>
    `0 g ${places.map(([x, y]) => `${x.toFixed(3)} ${y.toFixed(3)} ${side.toFixed(3)} ${side.toFixed(3)} re`).join(' ')} f`,
}

/** The objects before the pages: catalogue, page tree and fonts that every reader has. */
const head = (pages: number): string[] => [
  '<< /Type /Catalog /Pages 2 0 R >>',
  `<< /Type /Pages /Count ${pages} /Kids [${Array.from({ length: pages }, (_, at) => `${8 + at * 2} 0 R`).join(' ')}] >>`,
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
  '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light-UniGB-UCS2-H /Encoding /UniGB-UCS2-H /DescendantFonts [6 0 R] >>',
  '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 4 >> /DW 1000 /FontDescriptor 7 0 R >>',
  '<< /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [-25 -254 1000 880] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >>',
]

const pageOf = (at: number): string =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${pageSize.width} ${pageSize.height}] /Resources << /Font << /F1 3 0 R /F2 4 0 R /F3 5 0 R >> >> /Contents ${at} 0 R >>`

/** A PDF of pages that are given as their operators. */
export const documentOf = (pages: readonly (readonly string[])[]): Buffer => {
  const contents = pages.map(page => page.join('\n'))
  const objects = [
    ...head(pages.length),
    ...contents.flatMap((content, at) => [
      pageOf(9 + at * 2),
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ]),
  ]
  let text = '%PDF-1.4\n'
  const places: number[] = []
  for (const [at, object] of objects.entries()) {
    places.push(text.length)
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
  }
  const table = places.map(place => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  text += `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}
