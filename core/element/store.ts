import { dispatch, type EventName, type MkopoEvents } from './events.ts'
import { showToast } from './toast.ts'

/** Properties of an element by name. */
export type Values = Readonly<Record<string, unknown>>

/** The element's values for React, with a way to send events. */
export class Store {
  #values: Values = {}
  #listeners = new Set<() => void>()
  #queued = false
  readonly element: HTMLElement

  constructor(element: HTMLElement) {
    this.element = element
  }

  read = () => this.#values

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  set(name: string, value: unknown) {
    if (!Object.is(this.#values[name], value)) this.#change({ ...this.#values, [name]: value })
  }

  /** Notifies that something changed that the defaults depend on, such as the colour scheme. */
  touch() {
    this.#change({ ...this.#values })
  }

  emit = <K extends EventName>(name: K, detail: MkopoEvents[K]) => {
    const wanted = dispatch(this.element, name, detail)
    if (wanted && name === 'mkopo-toast') showToast(detail as MkopoEvents['mkopo-toast'])
    return wanted
  }

  /** Several changes within one task notify once. */
  #change(values: Values) {
    this.#values = values
    if (this.#queued) return
    this.#queued = true
    queueMicrotask(() => {
      this.#queued = false
      for (const listener of [...this.#listeners]) listener()
    })
  }
}
