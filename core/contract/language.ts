import { z } from 'zod'
import { dictionary } from './fields.ts'

export const languageCodes = dictionary('LANGUAGE', ['zh', 'en', 'sw'])

/** A language that may be chosen, under its own name; the smallest `sort` stands first. */
export const LanguageRow = z.object({
  code: z.enum(languageCodes.values),
  name: z.string(),
  sort: z.int(),
  isDefault: z.boolean(),
})
export type LanguageRow = z.output<typeof LanguageRow>
