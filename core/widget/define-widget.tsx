import r2wc from '@r2wc/react-to-web-component'
import { type ComponentType, createElement } from 'react'
import { isServing } from '../element/one-version.ts'
import { attributes, kebab, type PropType, parsers, properties } from '../element/properties.ts'
import { Store } from '../element/store.ts'
import { adopt } from '../element/styles.ts'
import { version } from '../element/version.ts'
import { type HostParts, WidgetHost } from './host.tsx'
import type { Providers, WidgetMeta } from './widget-meta.ts'

type Base = new () => HTMLElement & { container: ShadowRoot; connectedCallback(): void; disconnectedCallback(): void }
type Settable = HTMLElement & Record<string, unknown>

/** A script of the page that did not bring the token has no use for it. */
const writeOnly = 'token'

const parts = new WeakMap<Node, HostParts>()

/** What r2wc mounts: it is given the shadow root and nothing else. */
const Bound = ({ container }: { container: ShadowRoot }) => createElement(WidgetHost, parts.get(container) as HostParts)

/** The properties of a widget, and by which attributes they are given. */
const propertiesOf = (meta: WidgetMeta) => {
  const types: Record<string, PropType> = { ...meta.props }
  for (const [name, { type }] of Object.entries(attributes)) types[name] = type
  const byAttribute = new Map(Object.keys(types).map(name => [kebab(name), name]))
  const names = [...Object.keys(types), ...properties]

  return { types, byAttribute, names }
}

/** Gives elements their properties, which their store holds. */
const expose = <W extends HTMLElement>(
  prototype: W,
  names: readonly string[],
  storeOf: (element: W) => Store,
): void => {
  for (const name of names)
    Object.defineProperty(prototype, name, {
      enumerable: true,
      configurable: true,
      get(this: W) {
        return name === writeOnly ? undefined : storeOf(this).read()[name]
      },
      set(this: W, value: unknown) {
        storeOf(this).set(name, value)
      },
    })
}

type Made = Omit<HostParts, 'store'> & ReturnType<typeof propertiesOf>

/** The class of a widget, with its properties and the attributes that give them. */
const widgetOf = ({ types, byAttribute, names, ...made }: Made): CustomElementConstructor => {
  const R2wc = r2wc(Bound as ComponentType, { shadow: 'open', props: [] }) as unknown as Base

  class Widget extends R2wc {
    static get observedAttributes() {
      return [...byAttribute.keys(), 'lang']
    }
    readonly #store = new Store(this)

    constructor() {
      super()
      adopt(this.container)
      parts.set(this.container, { ...made, store: this.#store })
    }

    override connectedCallback() {
      const self = this as unknown as Settable
      for (const name of names.filter(n => Object.hasOwn(this, n))) {
        const value = self[name]
        delete self[name]
        self[name] = value
      }
      super.connectedCallback()
    }

    #read(token: string | null) {
      if (token === null) return
      this.#store.set('token', token)
      super.removeAttribute('token')
    }

    /** A move is a disconnect and a connect in one task: look again when the task is over. */
    override disconnectedCallback() {
      queueMicrotask(() => {
        if (!this.isConnected) super.disconnectedCallback()
      })
    }

    /** Called instead of the two above by `moveBefore()`. */
    connectedMoveCallback() {}

    /** A token is taken out of the page when it has been read, so a host that removes it may find nothing to remove. */
    override removeAttribute(attribute: string) {
      super.removeAttribute(attribute)
      if (attribute.toLowerCase() === 'token') this.#store.set('token', undefined)
    }

    attributeChangedCallback(attribute: string, _old: string | null, text: string | null) {
      const name = byAttribute.get(attribute)
      if (!name) this.#store.touch()
      else if (name === 'token') this.#read(text)
      else this.#store.set(name, text === null ? undefined : parsers[types[name] as PropType](text))
    }

    static {
      expose(Widget.prototype, names, (widget: Widget) => widget.#store)
    }
  }
  return Widget
}

/**
 * Registers a widget. r2wc owns the shadow root and the React root; the properties are ours: never reflected (the token is not read back either), kept when set before the
 * upgrade, undefined again when the attribute goes, alive without a remount. A move in the page keeps the state.
 * Links of its screen lead to `others` in its own drawer, where the page does nothing else with them.
 * @returns the class; the first definition of a tag wins, and the first version on a page is the only one.
 */
export const defineWidget = (
  meta: WidgetMeta,
  providers?: Providers,
  others: () => Promise<readonly WidgetMeta[]> = async () => [],
): CustomElementConstructor | undefined => {
  const known = customElements.get(meta.tag)
  if (!isServing(version) || known) return known
  const Widget = widgetOf({ meta, providers, others, ...propertiesOf(meta) })
  customElements.define(meta.tag, Widget)
  return Widget
}
