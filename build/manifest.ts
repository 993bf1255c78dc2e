import { eventInfo } from '../core/element/events.ts'
import { attributes, kebab, type PropType, properties } from '../core/element/properties.ts'

/** A widget as the registry lists it. */
export type Listed = { tag: string; summary?: string; props?: Readonly<Record<string, PropType>> }

/** The small elements, which the registry does not list. */
const leaves = [
  { tag: 'mkopo-toast', summary: 'The region of short messages; one for the whole page.', fields: {}, events: {} },
  {
    tag: 'mkopo-loading',
    summary: 'A thin bar while active; short waits show nothing.',
    fields: { active: 'boolean' },
    events: {},
  },
  { tag: 'mkopo-copy', summary: 'Copies its value.', fields: { value: 'string', language: 'string' }, events: {} },
  {
    tag: 'mkopo-phone',
    summary: 'A masked number with show and copy.',
    fields: { masked: 'string', language: 'string', locked: 'boolean' },
    events: { 'mkopo-reveal': 'The full value is wanted: set it as the property value.' },
  },
] as const

const className = (tag: string) => tag.replace(/(^|-)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase())

type Field = { name: string; type: string; summary?: string; attribute: boolean }

const moduleOf = (
  tag: string,
  summary: string | undefined,
  fields: readonly Field[],
  events: Readonly<Record<string, string>>,
) => {
  const name = className(tag)
  const path = `${tag}.js`
  const members = fields.map(f => ({ kind: 'field', name: f.name, type: { text: f.type }, description: f.summary }))
  return {
    kind: 'javascript-module',
    path,
    declarations: [
      {
        kind: 'class',
        name,
        tagName: tag,
        customElement: true,
        summary,
        description: summary,
        attributes: fields
          .filter(f => f.attribute)
          .map(f => ({ name: kebab(f.name), fieldName: f.name, type: { text: f.type }, description: f.summary })),
        members,
        events: Object.entries(events).map(([event, description]) => ({
          name: event,
          type: { text: 'CustomEvent' },
          description,
        })),
      },
    ],
    exports: [{ kind: 'custom-element-definition', name: tag, declaration: { name, module: path } }],
  }
}

const ownFields = (widget: Listed): Field[] =>
  Object.entries(widget.props ?? {}).map(([name, type]) => ({ name, type, attribute: true }))
const commonFields: Field[] = [
  ...Object.entries(attributes).map(([name, about]) => ({ name, ...about, attribute: true })),
  ...Object.entries(properties).map(([name, about]) => ({ name, ...about, attribute: false })),
]
const commonEvents = Object.fromEntries(Object.entries(eventInfo).map(([name, { summary }]) => [name, summary]))

/** `custom-elements.json`: what editors and Storybook know of the elements. */
export const customElements = (widgets: readonly Listed[]) => ({
  schemaVersion: '2.1.0',
  readme: '',
  modules: [
    ...widgets.map(widget =>
      moduleOf(widget.tag, widget.summary, [...commonFields, ...ownFields(widget)], commonEvents),
    ),
    ...leaves.map(leaf => {
      const fields = Object.entries(leaf.fields).map(([name, type]) => ({ name, type, attribute: true }))
      return moduleOf(leaf.tag, leaf.summary, fields, leaf.events)
    }),
  ],
})

const htmlElement = (fields: readonly Field[]) =>
  fields.length ? `HTMLElement & {\n${lines(fields)}\n}` : 'HTMLElement'

const lines = (fields: readonly Field[]) =>
  fields.map(f => `  ${f.summary ? `/** ${f.summary} */\n  ` : ''}${f.name}?: ${f.type}`).join('\n')

const elementTypes = (widgets: readonly Listed[]) => [
  ...widgets.map(widget => {
    const own = ownFields(widget)
    return [widget.tag, own.length ? `MkopoWidget & {\n${lines(own)}\n}` : 'MkopoWidget'] as const
  }),
  ...leaves.map(leaf => {
    const fields = Object.entries(leaf.fields).map(([name, type]) => ({ name, type, attribute: true }))
    return [leaf.tag, htmlElement(fields)] as const
  }),
]

/** `mkopo.d.ts`: the elements and their events for TypeScript; the details are in `events.d.ts` beside it. */
export const domTypes = (widgets: readonly Listed[]) => `import type { MkopoEvents } from './events.js'

/** What every widget accepts. */
export interface MkopoProperties {
${lines(commonFields)}
}
export type MkopoWidget = HTMLElement & MkopoProperties
export type { MkopoEvents }

export interface MkopoElements {
${elementTypes(widgets)
  .map(([tag, type]) => `  '${tag}': ${type}`)
  .join('\n')}
}

declare global {
  interface HTMLElementTagNameMap extends MkopoElements {}
}
`

/** `mkopo-react.d.ts`: the elements in JSX, with their events as `onmkopo-…`. */
export const reactTypes = () => `import type { DetailedHTMLProps, HTMLAttributes } from 'react'
import type { MkopoElements, MkopoEvents } from './mkopo.js'

type On = { [E in keyof MkopoEvents as \`on\${E}\`]?: (event: CustomEvent<MkopoEvents[E]>) => void }
type Jsx = { [T in keyof MkopoElements]: DetailedHTMLProps<HTMLAttributes<MkopoElements[T]>, MkopoElements[T]> & Partial<Omit<MkopoElements[T], keyof HTMLElement>> & On }

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements extends Jsx {}
  }
}
`
