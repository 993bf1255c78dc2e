import { createContext, useContext, useMemo, useSyncExternalStore } from 'react'
import type { Endpoint } from '../contract/endpoint.ts'
import { type Engine, newEngine, type Params, say, type Texts } from '../i18n/engine.ts'
import type { Key, Messages } from '../i18n/index.ts'
import type { Language } from '../i18n/language.ts'
import { type Namespace, needsOf, ownerOf } from '../i18n/needs.ts'
import { useHost } from './context.ts'
import { loadOnce } from './load-once.ts'

/** A language, and the namespaces in which its words are looked for, the first that has them first. */
export type Spoken = { language: Language; namespaces: readonly string[] }

/** One for the page: widgets share what has been fetched. */
const engine: Engine = newEngine()

const indexes = {
  zh: () => import('../i18n/zh/index.gen.ts'),
  en: () => import('../i18n/en/index.gen.ts'),
  sw: () => import('../i18n/sw/index.gen.ts'),
}
type Index = Awaited<ReturnType<typeof indexes.zh>>

const shared = 'shared'
const work = 'work'
const fetched = new Map<string, Promise<unknown>>()

const indexOf = (language: Language) =>
  loadOnce(fetched, language, async () => {
    const index = (await indexes[language]()) as unknown as Index
    engine.addResourceBundle(language, shared, index.shared)
    return index
  }) as Promise<Index>

const hasWords = (index: Index, namespace: string): namespace is Namespace => Object.hasOwn(index.nouns, namespace)

const loaderOf = (index: Index, namespace: string): (() => Promise<{ default: Texts }>) | undefined => {
  if (namespace === work) return index.work
  return hasWords(index, namespace) ? index.nouns[namespace] : undefined
}

const add = async (language: Language, namespace: string) => {
  const load = loaderOf(await indexOf(language), namespace)
  if (!load) return
  await loadOnce(fetched, `${language}/${namespace}`, async () => {
    const texts = (await load()).default
    engine.addResourceBundle(language, namespace, texts)
  })
}

const titles = /^(.+)\/titles$/

/** The system of an element, `after-loan` of `mkopo-after-loan-loan-management`; where the titles of its screens lie. */
const systemOf = (index: Index, tag: string) =>
  Object.keys(index.nouns)
    .map(name => titles.exec(name)?.[1])
    .find(system => system && `${tag}-`.startsWith(`mkopo-${system}-`)) ?? ''

/** The namespaces of a widget: its own, its system's, those of the nouns and dictionaries of its calls, and what signed-in people work with. */
const namespacesIn = (index: Index, tag: string, calls: readonly Endpoint[]) => {
  const system = systemOf(index, tag)
  const own = [
    tag.replace(`mkopo-${system}-`, `${system}/`).replace(/^mkopo-/, `${system}/`),
    `${system}/system`,
    `${system}/titles`,
  ]
  const { nouns, dictionaries } = needsOf(calls)
  const brought = nouns.filter(noun => hasWords(index, noun)).flatMap(noun => [noun, noun.replace(/[^/]+$/, 'system')])
  const found = [...new Set([...own, ...brought, ...dictionaries])].filter(one => hasWords(index, one))
  return calls.some(call => call.auth !== 'anon') ? [...found, work] : found
}

/** Further namespaces, needed by keys in data; every widget searches them last. */
let besides: readonly string[] = []
const speaking = new Set<Language>()
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const fetchBesides = async (namespace: string) => {
  await Promise.all([...speaking].map(language => add(language, namespace)))
  if (besides.includes(namespace)) return
  besides = [...besides, namespace]
  for (const listener of listeners) listener()
}

const own = 'own'
const putTexts = new Map<Language, string>()

/** Replaces texts of the program by those of the installation; an earlier replacement is dropped. */
export const putWords = (language: Language, texts: Texts = {}): void => {
  const text = JSON.stringify(texts)
  if ((putTexts.get(language) ?? '{}') === text) return
  putTexts.set(language, text)
  engine.removeResourceBundle(language, own)
  engine.addResourceBundle(language, own, texts)
  besides = [...besides]
  for (const listener of listeners) listener()
}

const ready = new Map<string, Promise<Spoken>>()

/**
 * The words of a widget by the calls that its screen declares, fetched once; two widgets of a page may speak two languages.
 * @param part of the widget, where it fetches its words apart.
 */
export const wordsFor = (language: Language, tag: string, calls: readonly Endpoint[], part = ''): Promise<Spoken> =>
  loadOnce(ready, `${language}/${tag}/${part}`, async () => {
    speaking.add(language)
    const index = await indexOf(language)
    const namespaces = namespacesIn(index, tag, calls)
    await Promise.all([...namespaces, ...besides].map(one => add(language, one)))
    return { language, namespaces: [...namespaces, shared] }
  })

/** Prefetches the namespaces of every screen, before those of this screen are known. */
export const planWords = (language: Language) => void indexOf(language).catch(() => undefined)

/** The same, with the further namespaces that data needs. */
export const useBesides = ({ language, namespaces }: Spoken): Spoken => {
  const more = useSyncExternalStore(subscribe, () => besides)
  return useMemo(() => ({ language, namespaces: [own, ...namespaces, ...more] }), [language, namespaces, more])
}

const hosts = new Map<string, string>()

/** The words that a host has given, as a namespace of their own. */
const hostNamespace = (language: Language, messages: Messages) => {
  const texts = JSON.stringify(messages)
  const name = hosts.get(texts) ?? `host${hosts.size}`
  hosts.set(texts, name)
  if (!engine.hasResourceBundle(language, name)) engine.addResourceBundle(language, name, messages)
  return name
}

/** The titles of pages in any language. */
export const titlesOf = async (language: Language, tags: readonly string[]): Promise<(string | undefined)[]> => {
  const index = await indexOf(language)
  const namespaces = [...new Set(tags.map(tag => `${systemOf(index, tag)}/titles`))]
  await Promise.all(namespaces.map(one => add(language, one)))
  return tags.map(tag => say(engine, language, namespaces, `screens.${tag}`))
}

/** Says texts in the language of a widget; a missing text is its key, and is reported once. */
export type Translate = {
  (key: Key, params?: Params): string
  /** A text whose key is put together at run time; undefined where there is none. */
  maybe: (key: string, params?: Params) => string | undefined
  language: Language
}

const screens = /^screens\.(mkopo-.+)$/
const dicts = /^dict\.(\w+)\./

/** Which namespace a text that data names must be in; undefined where its key does not say so. */
const homeOf = async (language: Language, key: string) => {
  const dict = dicts.exec(key)?.[1]
  const tag = screens.exec(key)?.[1]
  return dict ? ownerOf(dict) : tag && `${systemOf(await indexOf(language), tag)}/titles`
}

const asked = new Set<string>()

/** Fetches the namespace of a missing text, once, and reports the text when it is not there either. */
const miss = async (language: Language, key: string, isNeeded: boolean) => {
  const name = `${language}/${key}`
  if (asked.has(name) || !(isNeeded || screens.test(key) || dicts.test(key))) return
  asked.add(name)
  const namespace = await homeOf(language, key)
  if (namespace && !besides.includes(namespace)) await fetchBesides(namespace)
  if (isNeeded && say(engine, language, [...besides, shared], key) === undefined)
    console.error(`${key} has no words in ${language}`)
}

/** Says texts in a language; the host's own words come first. */
export const translator = ({ language, namespaces }: Spoken, own?: Messages): Translate => {
  const all = own ? [hostNamespace(language, own), ...namespaces] : namespaces
  const find = (key: string, params: Params | undefined, isNeeded: boolean) => {
    const said = say(engine, language, all, key, params)
    if (said === undefined) void miss(language, key, isNeeded).catch(() => asked.delete(`${language}/${key}`))
    return said
  }
  return Object.assign((key: Key, params?: Params) => find(key, params, true) ?? key, {
    maybe: (key: string, params?: Params) => find(key, params, false),
    language,
  })
}

/** The words of the parts below. */
export const TextContext = createContext<Spoken | null>(null)

/** The words of the widget's language: `t('common.search')`. The host's own words come first. */
export const useText = (): Translate => {
  const spoken = useContext(TextContext)
  const { messages } = useHost().props
  if (!spoken) throw new Error('useText outside of a widget')
  return useMemo(() => translator(spoken, messages), [spoken, messages])
}
