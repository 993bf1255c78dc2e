import { useText } from '../../../core/element/i18n.ts'
import { useSheet } from '../../../core/element/styles.ts'
import { labelOf } from '../../../core/engine/table/columns.ts'
import sheet from '../../../core/engine/table/small-table.css?sheet'

const names = ['label', 'labelEn', 'labelSw', 'labelVi'] as const
type Labels = Readonly<Partial<Record<(typeof names)[number] | 'valueType', unknown>>>

/** A text of the kind JSON, set neatly; as it is where it does not parse. */
const neat = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** An item in all languages beside each other; JSON is set neatly. */
export const LabelTexts = ({ of }: { of: Labels }) => {
  useSheet(sheet)
  const t = useText()
  return (
    <div className="mk-small">
      <table>
        <thead>
          <tr>
            {names.map(name => (
              <th key={name} scope="col">
                {labelOf(t, name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            {names.map(name => {
              const text = of[name] ? String(of[name]) : null
              return (
                <td key={name}>{text === null ? '–' : of.valueType === 'json' ? <pre>{neat(text)}</pre> : text}</td>
              )
            })}
          </tr>
        </tbody>
      </table>
    </div>
  )
}
