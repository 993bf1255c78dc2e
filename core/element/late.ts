/** A part of the program that is fetched apart, once. */
export class Late<T> {
  /** The part, as soon as it is there. */
  arrived: T | undefined
  readonly #load: () => Promise<T>
  #planned = false

  constructor(load: () => Promise<T>) {
    this.#load = load
  }

  /** @throws when it cannot be fetched; the next call tries again. */
  fetch = async (): Promise<T> => {
    this.arrived ??= await this.#load()
    return this.arrived
  }

  /** Fetches it beforehand; a failure is reported only when the part is needed. */
  warm = () => void this.fetch().catch(() => undefined)

  /** Prefetches it after a delay in milliseconds, so that the page comes first. */
  plan = (after = 2000) => {
    if (!this.#planned) setTimeout(this.warm, after)
    this.#planned = true
  }
}
