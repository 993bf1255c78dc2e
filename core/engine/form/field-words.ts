import type { z } from 'zod'
import type { Translate } from '../../element/i18n.ts'

/** The messages where the schema has no words of its own. */
export const keyOf = ({ input }: { input?: unknown }) =>
  input === undefined || input === '' ? 'validation.infoComplete' : 'validation.wrongValue'

/** The words of the schema, of the server, or those that fit every field. */
export const messageOf = (t: Translate, message: string, schema: z.ZodType): string =>
  t.maybe(message, { max: (schema as { maxLength?: number }).maxLength ?? '' }) ??
  (/^[\w.-]*$/.test(message) ? t('validation.infoComplete') : message)

/** What is wrong with an input, by the first name of each place. */
export const wrongIn = (schema: z.ZodType, input: unknown): Record<string, string> => {
  const { error } = schema.safeParse(input, { error: keyOf } as never)
  const wrong: Record<string, string> = {}
  for (const { path, message } of error?.issues ?? []) wrong[String(path[0])] ??= message
  return wrong
}
