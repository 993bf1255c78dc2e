import type { z } from 'zod'
import type { Translate } from '../../element/i18n.ts'

/** What is wrong with a form by its contract, by field. */
export const flawsOf = (
  t: Translate,
  schema: z.ZodType,
  input: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (schema.safeParse(input).error?.issues ?? []).map(({ path, message }) => {
      const name = String(path[0] ?? '')
      const empty = input[name] === undefined || input[name] === ''
      return [name, empty ? t('validation.infoComplete') : (t.maybe(message) ?? t('validation.wrongValue'))]
    }),
  )
