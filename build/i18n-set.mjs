import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** Adds or changes texts in all three languages at once: `node build/i18n-set.mjs area.key zh en sw`, or `--file texts.json`. */
const languages = ['zh', 'en', 'sw']
const root = new URL('../core/i18n/', import.meta.url)
const args = process.argv.slice(2)
const texts = args[0] === '--file' ? JSON.parse(readFileSync(args[1], 'utf8')) : { [args[0]]: args.slice(1, 4) }

const lock = new URL('.lock', root)
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
  for (const [index, language] of languages.entries()) {
    const changed = new Map()
    for (const [name, values] of Object.entries(texts)) {
      const dot = name.indexOf('.')
      const [area, key, value] = [name.slice(0, dot), name.slice(dot + 1), values[index]]
      if (dot < 1 || !key || typeof value !== 'string' || !value)
        throw new Error(`${name}: needs area.key and a text in zh, en and sw`)
      const file = new URL(`${language}/${area}.json`, root)
      if (!changed.has(file.href)) changed.set(file.href, { file, words: readWords(file) })
      changed.get(file.href).words[key] = value
    }
    for (const { file, words } of changed.values()) {
      const sorted = Object.fromEntries(Object.entries(words).sort(([a], [b]) => (a < b ? -1 : 1)))
      writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`)
    }
  }
} finally {
  rmdirSync(lock)
}

function readWords(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return {}
    throw error
  }
}
