import { languages } from '../i18n/language.ts'

/** How the text of an attribute becomes a value; one that does not parse counts as absent. */
export const parsers = {
  string: (text: string) => text,
  number: (text: string) => (text.trim() === '' || Number.isNaN(Number(text)) ? undefined : Number(text)),
  boolean: (text: string) => text !== 'false',
} satisfies Record<string, (text: string) => unknown>
export type PropType = keyof typeof parsers

type Described = Readonly<Record<string, { type: string; summary: string }>>

/** Attributes of every widget, by property name. Each is a property too; removing the attribute makes it undefined. */
export const attributes = {
  token: {
    type: 'string',
    summary:
      'Embed token, or the session token of the portal. Empty or removed: signed out. The attribute is taken away when it has been read; better set the property.',
  },
  language: { type: 'string', values: languages, summary: 'Else the nearest lang attribute, else zh.' },
  baseUrl: { type: 'string', summary: 'Base address of the API; default /api/hc/web on the origin of the script.' },
  theme: { type: 'string', values: ['light', 'dark'], summary: 'Default: the colour scheme of the page.' },
  density: { type: 'string', values: ['normal', 'compact'], summary: 'compact makes table rows lower.' },
  orderNo: { type: 'string', summary: 'The order that a detail widget shows.' },
  from: { type: 'string', summary: 'Name of the section that opened a detail widget.' },
  open: { type: 'string', summary: 'Key of the row to open.' },
  urlState: { type: 'string', summary: 'A prefix; with it filters live in the address of the page.' },
} as const satisfies Readonly<Record<string, { type: PropType; summary: string; values?: readonly string[] }>>

/** What only a property can carry. */
export const properties = {
  fetchToken: {
    type: '() => Promise<string>',
    summary: 'Called when there is no token yet or it has expired; one call serves all widgets that share it.',
  },
  filters: { type: 'Readonly<Record<string, unknown>>', summary: 'Filters that the list starts with.' },
  messages: { type: 'Readonly<Record<string, string>>', summary: 'Words of the host’s own choice, by text key.' },
  config: {
    type: '{ successCode?: number; tokenHeader?: string; authHeader?: string; trackingBase?: string; timeout?: number }',
    summary: 'How the API behind the base address differs from the default.',
  },
} as const satisfies Described

/** The attribute of a property: `orderNo` is `order-no`. */
export const kebab = (name: string) => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
