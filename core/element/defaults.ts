import { type Language, languageOf } from '../i18n/language.ts'
import type { WidgetProps } from './context.ts'
import { attributes } from './properties.ts'

/** Origin that this script came from; empty where that is no web address. */
const origin = import.meta.url.startsWith('http') ? new URL(import.meta.url).origin : ''

/** Own `lang`, else the nearest one outwards through shadow roots, else that of the page. */
export const nearestLanguage = (element: Element): Language => {
  const language = languageOf(element.getAttribute('lang'))
  if (language) return language
  const root = element.getRootNode()
  const outer = element.parentElement ?? (root instanceof ShadowRoot ? root.host : null)
  return outer ? nearestLanguage(outer) : 'zh'
}

const schemeOf = (element: Element): 'light' | 'dark' => {
  const scheme = getComputedStyle(element).colorScheme
  if (!scheme.includes('dark')) return 'light'
  return !scheme.includes('light') || matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

const oneOf = <T extends string>(values: readonly T[], given: unknown) => values.find(value => value === given)

/** The properties of a widget with their defaults: language and theme come from the page where they are not given. */
export const withDefaults = (element: Element, given: Readonly<Record<string, unknown>>): WidgetProps => ({
  ...given,
  token: (given.token as string | undefined) || undefined,
  language: languageOf(given.language as string | undefined) ?? nearestLanguage(element),
  baseUrl: (given.baseUrl as string | undefined) || `${origin}/api/hc/web`,
  theme: given.theme === 'light' || given.theme === 'dark' ? given.theme : schemeOf(element),
  accent: oneOf(attributes.accent.values, given.accent) ?? 'teal',
  radius: oneOf(attributes.radius.values, given.radius) ?? 'small',
  density: given.density === 'compact' ? 'compact' : 'normal',
})
