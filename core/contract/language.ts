import { z } from 'zod'
import { dictionaries } from './dictionaries.ts'

/** A language that may be chosen, under its own name; the smallest `sort` stands first. */
export const LanguageRow = z.object({
  code: z.enum(dictionaries.LANGUAGE),
  name: z.string(),
  sort: z.int(),
  isDefault: z.boolean(),
})
export type LanguageRow = z.output<typeof LanguageRow>
