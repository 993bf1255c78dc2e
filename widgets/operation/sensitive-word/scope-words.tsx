import { scopes, type TextScope } from '../../../core/contract/operation/sensitive-word.ts'
import { useText } from '../../../core/element/i18n.ts'
import { listed } from '../../../core/engine/table/columns.ts'
import { dictText } from '../../../core/i18n/plain.ts'

/** Scopes that a cell has room for. */
const shown = 2

/** The first scopes of a word, and how many more there are; all of them in its title. */
export const ScopeWords = ({ values }: { values: readonly TextScope[] }) => {
  const t = useText()
  const words = values.map(value => dictText(t, scopes.name, value))
  const more = words.length - shown
  return (
    <span title={listed(t, words)}>
      {listed(t, words.slice(0, shown))}
      {more > 0 && ` +${more}`}
    </span>
  )
}
