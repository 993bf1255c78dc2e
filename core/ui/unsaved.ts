import { useEffect, useSyncExternalStore } from 'react'

type Save = () => Promise<void>

/** `is` says whether there is something now. */
type Held = { save: Save | undefined; is: () => boolean }

const held = new Set<Held>()
const listeners = new Set<() => void>()
/** The page is about to be loaded again, and what was typed goes with it. */
let isCarried = false

/** The browser asks before it closes or leaves the page. */
const keepPage = (event: BeforeUnloadEvent) => void (!isCarried && unsaved.any() && event.preventDefault())
const tell = () => {
  if (held.size) addEventListener('beforeunload', keepPage)
  else removeEventListener('beforeunload', keepPage)
  for (const listener of [...listeners]) listener()
}

/** What people typed on this page and that exists nowhere else yet. */
export const unsaved = {
  any: () => [...held].some(({ is }) => is()),
  /** Whether some of it would be lost if its screen were left now; what is saved on leaving would not. */
  losing: () => [...held].some(({ save, is }) => !save && is()),
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  /** Keeps something until the answer is called. `save` says how it is saved, where it can be; `is` whether it is still there. */
  hold: (save?: Save, is = () => true): (() => void) => {
    const entry: Held = { save, is }
    held.add(entry)
    tell()
    return () => {
      held.delete(entry)
      tell()
    }
  },
  /** From now on the browser lets the page go without asking. */
  carried: () => {
    isCarried = true
  },
  /** Saves what can be saved. A failure does not keep the page waiting. */
  flush: async (): Promise<void> => {
    await Promise.allSettled([...held].map(({ save }) => save?.()))
  },
}

/** Says that this component holds unsaved input as long as `is`. */
export const useUnsaved = (is: boolean, save?: Save) => {
  useEffect(() => (is ? unsaved.hold(save) : undefined), [is, save])
}

/** Whether anything on the page is unsaved. */
export const useAnyUnsaved = (): boolean => useSyncExternalStore(unsaved.subscribe, unsaved.any)
