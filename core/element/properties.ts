import { languages } from '../i18n/language.ts'

/** How the text of an attribute becomes a value; one that does not parse counts as absent. */
export const parsers = {
  string: (text: string) => text,
  number: (text: string) => (text.trim() === '' || Number.isNaN(Number(text)) ? undefined : Number(text)),
  boolean: (text: string) => text !== 'false',
} satisfies Record<string, (text: string) => unknown>
/** The type of a property, by its parser. */
export type PropType = keyof typeof parsers

/** Attributes of every widget, by property name. Each is a property too; removing the attribute makes it undefined. */
export const attributes = {
  token: { type: 'string' },
  language: { type: 'string', values: languages },
  baseUrl: { type: 'string' },
  theme: { type: 'string', values: ['light', 'dark'] },
  accent: { type: 'string', values: ['teal', 'blue', 'green', 'orange'] },
  radius: { type: 'string', values: ['none', 'small', 'medium', 'large'] },
  density: { type: 'string', values: ['normal', 'compact'] },
  orderNo: { type: 'string' },
  from: { type: 'string' },
  open: { type: 'string' },
  urlState: { type: 'string' },
} as const satisfies Readonly<Record<string, { type: PropType; values?: readonly string[] }>>

/** What only a property can carry. */
export const properties = ['fetchToken', 'filters', 'messages', 'config'] as const

/** The attribute of a property: `orderNo` is `order-no`. */
export const kebab = (name: string) => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
