import { z } from 'zod'
import { dictionary } from './fields.ts'

/** Languages of the interface, as codes of ISO 639-1; the first is the default. */
export const languageCodes = dictionary('LANGUAGE', ['zh', 'en', 'sw'])

/** A language that may be chosen, under its own name; the smallest `sort` stands first. */
export const LanguageRow = z.object({
  code: z.enum(languageCodes.values),
  name: z.string(),
  sort: z.int(),
  isDefault: z.boolean(),
})
export type LanguageRow = z.output<typeof LanguageRow>
