/** A chunk of the program could not be fetched; a retry may help. */
export class LoadError extends Error {}

const patience = 120_000
const failed = new Set<() => void>()

/** The same work with a timeout in milliseconds. */
export const within = <T>(work: Promise<T>, ms: number) =>
  new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer in ${ms} ms`)), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })

/** Loads something once per key. What fails is a {@link LoadError} and stays one until {@link forgetFailures}. */
export const loadOnce = <K, T>(known: Map<K, Promise<T>>, key: K, load: () => Promise<T>): Promise<T> => {
  const before = known.get(key)
  if (before) return before
  const promise = within(load(), patience).catch(cause => {
    failed.add(() => known.delete(key))
    throw new LoadError(cause instanceof Error ? cause.message : String(cause), { cause })
  })
  known.set(key, promise)
  return promise
}

/** Lets everything that failed be loaded again. */
export const forgetFailures = () => {
  for (const forget of failed) forget()
  failed.clear()
}
