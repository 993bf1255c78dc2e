import { text } from '../../core/i18n/server.ts'
import { widgets } from '../../widgets/registry.ts'
import { useLanguage } from './language-now.ts'
import { docsWords, purposes } from './words.ts'

const pageOf = (system: string, tag: string) =>
  `?path=/docs/${[`systems.${system}`, `screens.${tag}`]
    .map(key => text('en', key as Parameters<typeof text>[1]))
    .join('-')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '')}--docs`

/** The first page of the workshop: what this is, and the way to everything in it. */
export const Start = ({ english }: { english: Readonly<Record<string, string>> }) => {
  const language = useLanguage()
  const words = docsWords[language]
  return (
    <div lang={language}>
      <h1>{words.title}</h1>
      <p>{words.what}</p>
      <h2>{words.how}</h2>
      <ul>
        {[...words.sections, ...words.toolbar].map(([name, what]) => (
          <li key={name}>
            <strong>{name}</strong>: {what}
          </li>
        ))}
      </ul>
      <h2>{words.screens}</h2>
      <table>
        <thead>
          <tr>
            <th>{words.screen}</th>
            <th>{words.purpose}</th>
          </tr>
        </thead>
        <tbody>
          {widgets.map(({ tag, system }) => (
            <tr key={tag}>
              <td>
                <a href={pageOf(system, tag)} target="_top">
                  {text(language, `screens.${tag}` as Parameters<typeof text>[1])}
                </a>
              </td>
              <td>{language === 'en' ? english[tag] : purposes[language][tag]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
