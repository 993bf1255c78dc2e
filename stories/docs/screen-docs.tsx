import { Canvas, Controls, DocsContext, Primary } from '@storybook/addon-docs/blocks'
import { useContext } from 'react'
import { base, type Endpoint } from '../../core/contract/endpoint.ts'
import { kebab } from '../../core/element/properties.ts'
import { text } from '../../core/i18n/server.ts'
import { type State, states } from '../states.ts'
import { useLanguage } from './language-now.ts'
import { docsWords, purposes } from './words.ts'

export type AboutScreen = {
  tag: string
  path: string
  perm: string | null
  /** The sentence above the screen in its file. */
  purpose: string
  calls: readonly Endpoint[]
}

const rights = ({ auth, perm, anyPerm }: Endpoint) =>
  [...(perm ? [perm] : []), ...(anyPerm ?? [])].join(', ') || (auth === 'anon' ? 'anybody' : 'any signed-in user')

const Calls = ({ calls, head }: { calls: readonly Endpoint[]; head: readonly string[] }) => (
  <table>
    <thead>
      <tr>
        {head.map(name => (
          <th key={name}>{name}</th>
        ))}
      </tr>
    </thead>
    <tbody>
      {calls.map(call => (
        <tr key={call.path}>
          <td>
            <code>
              {call.method} {base}
              {call.path}
            </code>
          </td>
          <td>{rights(call)}</td>
          <td>{call.audit ?? '–'}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const stateOf = (id: string): State | undefined => states.find(state => id.endsWith(`-${kebab(state)}`))

/** The docs of a screen: what it is for and how it looks first, then the screen itself; its calls are folded. */
export const ScreenDocs = ({ tag, path, perm, purpose, calls }: AboutScreen) => {
  const language = useLanguage()
  const context = useContext(DocsContext)
  const words = docsWords[language]
  const name = text(language, `screens.${tag}` as Parameters<typeof text>[1])
  return (
    <div lang={language}>
      <h1>{name}</h1>
      <p>{language === 'en' ? purpose : (purposes[language][tag] ?? purpose)}</p>
      <img
        src={`screens/${tag}.jpg`}
        alt={words.picture(name)}
        width="882"
        style={{ maxWidth: '100%', height: 'auto' }}
      />
      <p>{words.portal(path, perm)}</p>
      <Primary />
      <h2>{words.attributes}</h2>
      <Controls />
      <h2>{words.shown}</h2>
      {context.componentStories().map(story => {
        const about = stateOf(story.id)
        if (!about || about === 'Default') return null
        const [state, what] = words.states[about]
        return (
          <section key={story.id}>
            <h3>{state}</h3>
            <p>{what}</p>
            <Canvas of={story.moduleExport} />
          </section>
        )
      })}
      <details>
        <summary>{words.calls(calls.length)}</summary>
        <Calls calls={calls} head={words.call} />
      </details>
    </div>
  )
}
