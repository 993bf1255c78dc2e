import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Route, routes } from '../core/contract/routes.ts'
import { states } from './states.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Where the stories of the screens lie: made anew at each start, one file per line of the registry. */
export const generated = path.join(root, '.cache/stories')

const words = (area: string): Record<string, string> =>
  JSON.parse(readFileSync(path.join(root, `core/i18n/en/${area}.json`), 'utf8'))

/** The file of each tag, as the registry says. */
export const filesOf = (registry: string): Record<string, string> =>
  Object.fromEntries(
    [...registry.matchAll(/'(mkopo-[\w-]+)':\s*\(\)\s*=>\s*import\('([^']+)'\)/g)].map(m => [m[1], m[2]]),
  )

const commentBefore = (source: string, end: number) =>
  source
    .slice(source.lastIndexOf('/**', end) + 3, end)
    .replace(/\s*\n\s*\*?\s*/g, ' ')
    .trim()

/** The sentence above the screen; where its parts are declared first, the first sentence of the file. */
export const purposeOf = (source: string): string => {
  const own = source.search(/\*\/\s*export default/)
  const end = own < 0 ? source.indexOf('*/') : own
  return end < 0 ? '' : commentBefore(source, end)
}

const q = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', ' ')}'`

/** Storybook reads titles and names without running anything, so each screen gets a file that spells them out. */
export const storyFile = ({ tag, title, purpose }: { tag: string; title: string; purpose: string }): string =>
  [
    `import { screenMeta, screenStory } from '../../stories/screen-stories.ts'`,
    ``,
    `export default { ...(await screenMeta(${q(tag)}, ${q(purpose)})), title: ${q(title)}, component: ${q(tag)} }`,
    ...states.map(state => `export const ${state} = screenStory(${q(tag)}, ${q(state)})`),
    ``,
  ].join('\n')

const fileOf = ({ tag }: Route) => path.join(generated, `${tag}.stories.ts`)

/** Writes the story file of every screen, and takes away those of screens that are gone. */
export const writeStories = () => {
  mkdirSync(generated, { recursive: true })
  const screens = words('screens')
  const systems = words('systems')
  const files = filesOf(readFileSync(path.join(root, 'widgets/registry.ts'), 'utf8'))
  for (const old of readdirSync(generated)) {
    const file = path.join(generated, old)
    if (!routes.some(route => fileOf(route) === file)) rmSync(file)
  }
  for (const route of routes) {
    const { tag, system, name } = route
    const source = files[tag] ? readFileSync(path.join(root, 'widgets', files[tag]), 'utf8') : ''
    const title = `${systems[system] ?? system}/${screens[tag] ?? name}`
    const text = storyFile({ tag, title, purpose: purposeOf(source) })
    if (!existsSync(fileOf(route)) || readFileSync(fileOf(route), 'utf8') !== text) writeFileSync(fileOf(route), text)
  }
}
