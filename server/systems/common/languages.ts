import { type LanguageRow, languageCodes } from '../../../core/contract/language.ts'
import { text } from '../../../core/i18n/server.ts'

/** The languages of the console, each under its own name; the first is the default. */
export const languageRows: LanguageRow[] = languageCodes.values.map((code, index) => ({
  code,
  name: text(code, `login.language.${code}`),
  sort: index + 1,
  isDefault: index === 0,
}))
