import { aboutAttributes, aboutEvents, aboutProperties } from '../../core/element/about.ts'
import type { EventName } from '../../core/element/events.ts'
import { attributes, kebab, type PropType } from '../../core/element/properties.ts'
import { type Field, leaves } from './leaves.ts'

/** A widget as the registry lists it. */
export type Listed = { tag: string; summary?: string; props?: Readonly<Record<string, PropType>> }

/** An element as the descriptions see it. */
export type Described = {
  tag: string
  summary: string
  /** Fields of its own, besides {@link commonFields}. */
  fields: readonly Field[]
  events: Readonly<Record<string, { summary: string; detail: string }>>
  /** Small elements have no common fields. */
  small: boolean
}

/** What every widget accepts. */
export const commonFields: readonly Field[] = [
  ...Object.entries(attributes).map(([name, kind]) => ({
    name,
    ...kind,
    summary: aboutAttributes[name as keyof typeof attributes],
    attribute: true,
  })),
  ...Object.entries(aboutProperties).map(([name, about]) => ({ name, ...about, attribute: false })),
]

const commonEvents = Object.fromEntries(
  (Object.keys(aboutEvents) as EventName[]).map(name => [
    name,
    { summary: aboutEvents[name], detail: `MkopoEvents['${name}']` },
  ]),
)

/** Every element of the library: the registry's, then the small ones. */
export const described = (widgets: readonly Listed[]): readonly Described[] => [
  ...widgets.map(({ tag, summary, props }) => ({
    tag,
    summary: summary ?? tag,
    fields: Object.entries(props ?? {}).map(([name, type]) => ({
      name,
      type,
      summary: `The ${kebab(name).replaceAll('-', ' ')} of this screen.`,
      attribute: true,
    })),
    events: commonEvents,
    small: false,
  })),
  ...leaves.map(leaf => ({ ...leaf, small: true })),
]

export const fieldsOf = (element: Described): readonly Field[] =>
  element.small ? element.fields : [...commonFields, ...element.fields]

/** The type of a field in TypeScript: its values by name where there are only some. */
export const typeOf = ({ type, values }: Field): string =>
  values ? values.map(value => `'${value}'`).join(' | ') : type

const className = (tag: string) => tag.replace(/(^|-)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase())

const moduleOf = (element: Described) => {
  const { tag, summary, events } = element
  const [name, path] = [className(tag), `${tag}.js`]
  const fields = fieldsOf(element)
  const about = (field: Field) => ({ type: { text: typeOf(field) }, description: field.summary })
  return {
    kind: 'javascript-module',
    path,
    declarations: [
      {
        kind: 'class',
        name,
        tagName: tag,
        customElement: true,
        superclass: { name: 'HTMLElement' },
        summary,
        description: summary,
        attributes: fields
          .filter(field => field.attribute)
          .map(field => ({ name: kebab(field.name), fieldName: field.name, ...about(field) })),
        members: fields.map(field => ({
          kind: 'field',
          name: field.name,
          ...(field.attribute ? { attribute: kebab(field.name) } : {}),
          ...about(field),
        })),
        events: Object.entries(events).map(([event, doc]) => ({
          name: event,
          type: { text: `CustomEvent<${doc.detail}>` },
          description: doc.summary,
        })),
      },
    ],
    exports: [{ kind: 'custom-element-definition', name: tag, declaration: { name, module: path } }],
  }
}

/** `custom-elements.json`: what editors and Storybook know of the elements. */
export const customElements = (widgets: readonly Listed[]) => ({
  schemaVersion: '2.1.0',
  readme: '',
  modules: described(widgets).map(moduleOf),
})

/** `html-custom-data.json`: completion and hover text in HTML files, for VS Code's `html.customData`. */
export const htmlData = (widgets: readonly Listed[]) => ({
  version: 1.1,
  tags: described(widgets).map(element => ({
    name: element.tag,
    description: element.summary,
    attributes: fieldsOf(element)
      .filter(field => field.attribute)
      .map(field => ({
        name: kebab(field.name),
        description: field.summary,
        ...(field.type === 'boolean' ? { valueSet: 'v' } : {}),
        ...(field.values ? { values: field.values.map(name => ({ name })) } : {}),
      })),
  })),
})
