let besides = (): Promise<unknown> => Promise.resolve()

/** What every part that is fetched apart needs besides its own code. */
export const needBesides = (fetch: () => Promise<unknown>) => {
  besides = fetch
}

/** A part of the program that is fetched apart, with what it needs besides; for `lazy`. */
export const part = async <T>(load: () => Promise<T>): Promise<T> => {
  const [arrived] = await Promise.all([load(), besides()])
  return arrived
}

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
    this.arrived ??= await part(this.#load)
    return this.arrived
  }

  /** Fetches it beforehand; that this fails is nobody's business yet. */
  warm = () => void this.fetch().catch(() => undefined)

  /** Fetches it beforehand when what stands on the page has had its time, in milliseconds. */
  plan = (after = 2000) => {
    if (!this.#planned) setTimeout(this.warm, after)
    this.#planned = true
  }
}
