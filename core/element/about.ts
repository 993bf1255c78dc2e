import type { EventName } from './events.ts'
import type { attributes, properties } from './properties.ts'

/** Descriptions of the attributes that every widget has; for documentation only, no browser loads them. */
export const aboutAttributes: Readonly<Record<keyof typeof attributes, string>> = {
  token:
    'Embed token, or the session token of the portal. Empty or removed: signed out. The attribute is taken away when it has been read; better set the property.',
  language: 'Else the nearest lang attribute, else zh.',
  baseUrl: 'Base address of the API; default /api/hc/web on the origin of the script.',
  theme: 'Default: the colour scheme of the page.',
  accent: 'Colour of what can be pressed; teal by default.',
  radius: 'How round corners are; small by default.',
  density: 'compact makes table rows lower.',
  orderNo: 'The order that a detail widget shows.',
  from: 'Name of the section that opened a detail widget.',
  open: 'Key of the row to open.',
  urlState: 'A prefix; with it filters live in the address of the page, else in memory.',
}

/** What only a property can carry: its type, and what it is for. */
export const aboutProperties: Readonly<Record<(typeof properties)[number], { type: string; summary: string }>> = {
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
}

/** When each event is sent, and what happens unless a listener prevents it. */
export const aboutEvents: Readonly<Record<EventName, string>> = {
  'mkopo-ready': 'The screen is drawn for the first time.',
  'mkopo-error': 'Something failed; the widget shows it with a way to retry.',
  'mkopo-navigate':
    'A link to another screen was followed. Prevent the default to open it yourself; else it opens in a drawer of the widget, where the token covers it.',
  'mkopo-filters-change': 'Filters, sort, page, columns or density of the list changed.',
  'mkopo-row-open': 'A row is about to open in the widget’s drawer. Prevent the default to open it yourself.',
  'mkopo-action': 'A command has been answered.',
  'mkopo-toast': 'A short message. Prevent the default to show it your way.',
  'mkopo-token-expired':
    'The token is no longer good, or there is none. Prevent the default to do without the signed-out panel.',
}
