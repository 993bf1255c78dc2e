import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Route, routes } from '../core/contract/routes.ts'
import { states } from './states.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Where the stories of the screens lie: written at each start, one file per line of the registry. */
export const generated = path.join(root, '.cache/stories')

/** Titles of screens, by system, and the names of the systems. */
const titles = (): Record<string, string> => {
  const words = path.join(root, 'core/i18n/en')
  const files = readdirSync(words).flatMap(one =>
    ['system.json', 'titles.json'].map(file => path.join(words, one, file)),
  )
  return Object.assign(
    {},
    ...files.filter(file => existsSync(file)).map(file => JSON.parse(readFileSync(file, 'utf8'))),
  )
}

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

/** Writes the story file of every screen and the purposes of all, and takes away files of screens that are gone. */
export const writeStories = () => {
  mkdirSync(generated, { recursive: true })
  const words = titles()
  const files = filesOf(readFileSync(path.join(root, 'widgets/registry.ts'), 'utf8'))
  const purposes: Record<string, string> = {}
  for (const old of readdirSync(generated).filter(name => name.endsWith('.ts'))) {
    const file = path.join(generated, old)
    if (!routes.some(route => fileOf(route) === file)) rmSync(file)
  }
  for (const route of routes) {
    const { tag, system, name } = route
    const source = files[tag] ? readFileSync(path.join(root, 'widgets', files[tag]), 'utf8') : ''
    const title = `${words[`systems.${system}`] ?? system}/${words[`screens.${tag}`] ?? name}`
    purposes[tag] = purposeOf(source)
    const text = storyFile({ tag, title, purpose: purposes[tag] })
    if (!existsSync(fileOf(route)) || readFileSync(fileOf(route), 'utf8') !== text) writeFileSync(fileOf(route), text)
  }
  writeFileSync(path.join(generated, 'purposes.json'), JSON.stringify(purposes))
}
