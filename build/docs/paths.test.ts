import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '../..')
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' }).split(
  '\n',
)
const folders = files.flatMap(file => file.split('/').map((_, at, parts) => parts.slice(0, at).join('/')))
const known = [...new Set([...files, ...folders])]
const scripts: Record<string, string> = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).scripts

const tops = 'core|widgets|portal|server|stories|examples|build|tests|bench|docs'
const inRoot = new RegExp(`(?<![\\w/.@:<-]|texts -- )(?:${tops})/[\\w./{},*<>-]+`, 'g')
const alone = /`([\w.-]+\.(?:ts|tsx|mjs|css))`/g

/** `<noun>` and `*` stand for any name, `{a,b}` for each of its parts. */
const namesOf = (written: string): string[] => {
  const braces = /\{([^}]*)\}/.exec(written)
  if (!braces) return [written.replace(/[./,]+$/, '')]
  return (braces[1] as string).split(',').flatMap(part => namesOf(written.replace(braces[0], part)))
}
const isThere = (name: string) => {
  const any = new RegExp(`^${name.replace(/[.]/g, '\\.').replace(/<\w+>|\*/g, '[\\w-]+')}$`)
  return known.some(one => any.test(one))
}
const missing = (text: string) => [
  ...[...text.matchAll(inRoot)].flatMap(([written]) => namesOf(written)).filter(name => !isThere(name)),
  ...[...text.matchAll(alone)]
    .map(([, name]) => name as string)
    .filter(name => !known.some(one => one.endsWith(`/${name}`) || one === name)),
  ...[...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name as string).filter(name => !scripts[name]),
]

// What the CHANGELOG says of an earlier version was true then.
const documents = files.filter(file => /\.mdx?$/.test(file) && file !== 'CHANGELOG.md')

it.each(documents)('%s names only files, folders and scripts that exist', file => {
  const text = readFileSync(path.join(root, file), 'utf8')
  expect(missing(text)).toEqual([])
  const links = [...text.matchAll(/\]\((?!https?:|#|\/|\?)([^)#]+)/g)].map(([, link]) =>
    path.posix.join(path.posix.dirname(file), link as string),
  )
  expect(links.filter(link => !known.includes(link))).toEqual([])
})

it('scripts of package.json run files that exist', () => {
  expect(missing(Object.values(scripts).join('\n'))).toEqual([])
})

it('names what is missing', () => {
  expect(missing('`server/no-such.ts`, core/<system>/nothing and `gone.ts`: npm run nothing')).toEqual([
    'server/no-such.ts',
    'core/<system>/nothing',
    'gone.ts',
    'nothing',
  ])
})
