import type { Field } from './leaves.ts'
import { commonFields, type Described, described, type Listed, typeOf } from './manifest.ts'

const lines = (fields: readonly Field[], indent: string) =>
  fields.map(field => `${indent}/** ${field.summary} */\n${indent}${field.name}?: ${typeOf(field)}`).join('\n')

const body = (fields: readonly Field[]) => (fields.length ? ` & {\n${lines(fields, '    ')}\n  }` : '')

const elementType = ({ fields, small }: Described) => `${small ? 'HTMLElement' : 'MkopoWidget'}${body(fields)}`

const smallEvents = (elements: readonly Described[]) =>
  elements.flatMap(({ small, events }) =>
    small
      ? Object.entries(events).map(
          ([name, { summary, detail }]) => `    /** ${summary} */\n    '${name}': CustomEvent<${detail}>`,
        )
      : [],
  )

/** `elements.d.ts`: the elements for TypeScript; the details of their events are in `events.d.ts` beside it. */
export const domTypes = (widgets: readonly Listed[]) => {
  const all = described(widgets)
  return `import type { MkopoEvents } from './events.js'

/** What every widget accepts. */
export interface MkopoProperties {
${lines(commonFields, '  ')}
}
export type MkopoWidget = HTMLElement & MkopoProperties
export type { EventName, MkopoEvents, ToastDetail } from './events.js'

export interface MkopoElements {
${all.map(element => `  /** ${element.summary} */\n  '${element.tag}': ${elementType(element)}`).join('\n')}
}

declare global {
  interface HTMLElementTagNameMap extends MkopoElements {}
  interface GlobalEventHandlersEventMap {
${smallEvents(all).join('\n')}
  }
}
`
}

/** `mkopo.d.ts`: the loader. */
export const loaderTypes = () => `export type * from './elements.js'

/** Watches a further root for elements to load, such as an open shadow root of the page's own. */
export declare const watch: (root: Document | ShadowRoot) => void
`

const pascal = (name: string) => name.replace(/(^|-)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase())

/** `vue.d.ts`: the elements in templates of Vue, with their properties and, as `@mkopo-…`, their events. */
export const vueTypes = (widgets: readonly Listed[]) => {
  const events = [...new Set(described(widgets).flatMap(({ events }) => Object.keys(events)))]
  const detailOf = (name: string) => (name === 'mkopo-reveal' ? 'null' : `MkopoEvents['${name}']`)
  return `import type { MkopoElements, MkopoEvents } from './elements.js'

type On = {
${events.map(name => `  on${pascal(name)}?: (event: CustomEvent<${detailOf(name)}>) => void`).join('\n')}
}
/** What a template may write on an element: its own properties, its events, and what every tag takes. */
type Props<E> = Partial<Omit<E, keyof HTMLElement>> & On & { class?: unknown; style?: unknown; id?: string; hidden?: boolean; lang?: string }
type Tag<E> = new () => E & { $props: Props<E> }

declare module 'vue' {
  interface GlobalComponents {
${described(widgets)
  .map(({ tag }) => `    '${tag}': Tag<MkopoElements['${tag}']>`)
  .join('\n')}
  }
}
export type * from './elements.js'
`
}

/** `mkopo-react.d.ts`: the elements in JSX, with their events as \`onmkopo-…\`. */
export const reactTypes = () => `import type { DetailedHTMLProps, HTMLAttributes } from 'react'
import type { MkopoElements, MkopoEvents } from './elements.js'

type On = { [E in keyof MkopoEvents as \`on\${E}\`]?: (event: CustomEvent<MkopoEvents[E]>) => void } & {
  'onmkopo-reveal'?: (event: CustomEvent<null>) => void
}
type Own<E> = Partial<Omit<E, keyof HTMLElement>>
type Jsx = {
  [T in keyof MkopoElements]: DetailedHTMLProps<HTMLAttributes<MkopoElements[T]>, MkopoElements[T]> & Own<MkopoElements[T]> & On
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements extends Jsx {}
  }
}
export type * from './elements.js'
`
