import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Language, languages } from '../../core/i18n/language.ts'

type Words = Record<string, string>

export const root = fileURLToPath(new URL('../../core/i18n/', import.meta.url))

/** The namespaces of a language: `common`, which every screen has, or `after-loan/repayment`, which comes with the calls of that noun. */
export const namespacesOf = (language: Language): readonly string[] =>
  readdirSync(path.join(root, language), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.json'))
    .map(file => file.slice(0, -'.json'.length).replaceAll(path.sep, '/'))
    .sort()

export const fileOf = (language: Language, namespace: string) => path.join(root, language, `${namespace}.json`)

/** The texts of a namespace; none where there is no such file yet. */
export const read = (language: Language, namespace: string): Words => {
  try {
    return JSON.parse(readFileSync(fileOf(language, namespace), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}

/** What signed-in people work with: labels of fields, words of lists and configurations. The sign-in does without. */
export const work: readonly string[] = ['config', 'fields', 'list']
const isShared = (namespace: string) => !namespace.includes('/') && !work.includes(namespace)
/** What only the server says is fetched by no browser. */
const isFetched = (namespace: string) => namespace.includes('/') && !namespace.startsWith('server/')

const nameOf = (namespace: string) => namespace.replace(/[-/](\w)/g, (_, letter: string) => letter.toUpperCase())
const importOf = (namespace: string) => `import ${nameOf(namespace)} from './${namespace}.json'`
const spread = (namespaces: readonly string[]) => namespaces.map(one => `  ...${nameOf(one)},`).join('\n')
const head = '// Written by `npm run texts`; do not edit.'

const indexOf = (namespaces: readonly string[]) => {
  const shared = namespaces.filter(isShared)
  const loaders = namespaces
    .filter(isFetched)
    .map(one => `  '${one}': () => import('./${one}.json'),`)
    .join('\n')
  return `${head}
${shared.map(importOf).join('\n')}

/** What everybody may read, also before the sign-in. */
export const shared = {
${spread(shared)}
}

/** What comes with the first call of a signed-in person. */
export const work = () => import('./work.gen.ts')

/** What comes with the calls of a noun, or with any of its system. */
export const nouns = {
${loaders}
}
`
}

const workOf = () => `${head}
${work.map(importOf).join('\n')}

/** Labels of fields, and the words of lists and configurations. */
export default {
${spread(work)}
}
`

const allOf = (namespaces: readonly string[]) => `${head}
${namespaces.map(importOf).join('\n')}

/** Every text. */
export const all = {
${spread(namespaces)}
}
`

const ownersOf = (namespaces: readonly string[]) => {
  const lines = namespaces.filter(isFetched).flatMap(one => {
    const dicts = [...new Set(Object.keys(read('zh', one)).flatMap(key => /^dict\.(\w+)\./.exec(key)?.[1] ?? []))]
    return dicts.length ? [`  '${one}': '${dicts.join(' ')}',`] : []
  })
  return `${head}

/** The dictionaries whose words lie in each namespace. */
export const dictionariesOf: Readonly<Record<string, string>> = {
${lines.join('\n')}
}
`
}

/** The generated files, by their paths. */
export const generated = () => {
  const files: Record<string, string> = {}
  for (const language of languages) {
    const namespaces = namespacesOf(language)
    files[path.join(root, language, 'index.gen.ts')] = indexOf(namespaces)
    files[path.join(root, language, 'work.gen.ts')] = workOf()
    files[path.join(root, language, 'all.gen.ts')] = allOf(namespaces)
  }
  files[path.join(root, 'owners.gen.ts')] = ownersOf(namespacesOf('zh'))
  return files
}

/** Writes what follows from the files of texts. */
export const writeIndexes = () => {
  for (const [file, text] of Object.entries(generated())) writeFileSync(file, text)
}
