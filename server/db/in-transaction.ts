import { AsyncLocalStorage } from 'node:async_hooks'

const open = new AsyncLocalStorage<boolean>()

/** Runs the work of a transaction, so that code it calls can detect the transaction. */
export const insideTransaction = <T>(work: () => Promise<T>): Promise<T> => open.run(true, work)

/** Runs what follows a commit, marked as outside of the transaction. (`exit` ends with the next `run` inside it on Node 20.) */
export const outsideTransaction = <T>(work: () => T): T => open.run(false, work)

/** Refuses slow work while a transaction is open: it would hold its connection and its locks. */
export const refuseInTransaction = (what: string): void => {
  if (open.getStore()) throw new Error(`${what} while a transaction is open`)
}

/** The same functions, each throwing while a transaction is open. */
export const refusingInTransaction = <T extends Record<string, (...given: never[]) => unknown>>(
  of: T,
  what: string,
): T =>
  Object.fromEntries(
    Object.entries(of).map(([name, slow]) => [
      name,
      (...given: never[]) => {
        refuseInTransaction(`${what} (${name})`)
        return slow(...given)
      },
    ]),
  ) as T
