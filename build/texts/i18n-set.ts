import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Language, languages } from '../../core/i18n/language.ts'
import { fileOf, namespacesOf, read, root, writeIndexes } from './i18n-index.ts'

type Text = string | { one: string; other: string }
type Words = Record<string, string>

const help = `Adds texts in all three languages, and writes the indexes of core/i18n:
  npm run texts -- after-loan/repayment fields.dueDate '到期日' 'Due date' 'Tarehe ya kulipa'
  npm run texts -- --file texts.json    { "after-loan/repayment": { "fields.dueDate": ["到期日", "Due date", "Tarehe ya kulipa"] } }
  npm run texts                         the indexes alone
A text that tells one from several is { "one": …, "other": … } in that language. --again changes texts that exist; --move takes them out of
the namespace that has them.`

const args = process.argv.slice(2)
const take = (name: string) => args.includes(name) && args.splice(args.indexOf(name), 1).length > 0
const [again, move] = [take('--again'), take('--move')]
const given = (): Record<string, Record<string, Text[]>> => {
  if (args.length === 0) return {}
  if (args[0] === '--file' && args.length === 2) return JSON.parse(readFileSync(args[1] as string, 'utf8'))
  if (args.length === 5) return { [args[0] as string]: { [args[1] as string]: args.slice(2) } }
  throw new Error(help)
}

const isText = (text: unknown): text is string => typeof text === 'string' && text !== ''
/** The entries of a key: one, or one for each of its words. */
const entriesOf = (key: string, text: Text | undefined): [string, string][] => {
  if (isText(text)) return [[key, text]]
  if (typeof text === 'object' && isText(text.one) && isText(text.other))
    return Object.entries(text).map(([form, words]) => [`${key}_${form}`, words])
  throw new Error(`${key}: needs a text in zh, en and sw`)
}
const without = (words: Words, key: string): Words => {
  const own = new Set([key, `${key}_one`, `${key}_other`])
  return Object.fromEntries(Object.entries(words).filter(([name]) => !own.has(name)))
}
const has = (words: Words, key: string) => Object.keys(words).length !== Object.keys(without(words, key)).length

const write = (language: Language, namespace: string, words: Words) => {
  const file = fileOf(language, namespace)
  mkdirSync(path.dirname(file), { recursive: true })
  const sorted = Object.fromEntries(Object.entries(words).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`)
}

const set = (namespace: string, key: string, texts: readonly Text[]) => {
  if (!/^[\w-]+(\/[\w-]+)?$/.test(namespace) || !/^\w+\../.test(key)) throw new Error(`${namespace} ${key}\n${help}`)
  const holders = namespacesOf('zh').filter(one => has(read('zh', one), key))
  const elsewhere = holders.filter(one => one !== namespace)
  if (elsewhere.length && !move) throw new Error(`${key} is in ${elsewhere}; --move takes it from there`)
  if (holders.includes(namespace) && !again) throw new Error(`${key} is in ${namespace} already; --again changes it`)
  for (const [at, language] of languages.entries()) {
    const added = Object.fromEntries(entriesOf(key, texts[at]))
    for (const other of elsewhere) write(language, other, without(read(language, other), key))
    write(language, namespace, { ...without(read(language, namespace), key), ...added })
  }
}

const lock = path.join(root, '.lock')
for (let tries = 0; ; tries++) {
  try {
    mkdirSync(lock)
    break
  } catch (error) {
    if (tries > 200) throw error
    await wait(25)
  }
}
try {
  for (const [namespace, keys] of Object.entries(given()))
    for (const [key, texts] of Object.entries(keys)) set(namespace, key, texts)
  writeIndexes()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  rmdirSync(lock)
}
