import type { z } from 'zod'
import type { Translate } from '../../element/i18n.ts'

/** What is wrong with a value by its contract, in words for a person; null where nothing is. */
export const wrongWith = (t: Translate, schema: z.ZodType, value: unknown): string | null => {
  if (value === undefined || value === '') return t('validation.infoComplete')
  const issue = schema.safeParse(value).error?.issues[0]
  return issue ? (t.maybe(issue.message) ?? t('validation.wrongValue')) : null
}
