import { z } from 'zod'
import { field } from '../fields.ts'

/** A page for the printer, in the language of whom it is for: the page on the screen and the PDF are both drawn from it. */
export const Paper = z.object({
  title: field.text(200),
  /** What is written below the title. */
  lead: field.text(400).nullable(),
  facts: z.array(z.object({ label: field.text(), value: field.text(400) })),
  table: z.object({ columns: z.array(field.text()), rows: z.array(z.array(z.string())) }).nullable(),
  notes: z.array(field.text(400)),
  /** What its QR code says. */
  code: field.text().nullable(),
})
export type Paper = z.output<typeof Paper>
