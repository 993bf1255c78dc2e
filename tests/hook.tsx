import { act, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'

type Run = { use: () => void }
const Inside = ({ use }: Run) => {
  use()
  return null
}

/** Runs a hook as a component would, again with each `render`; for files with `@vitest-environment happy-dom`. */
export const hooked = <P, R>(use: (given: P) => R, first: P, around: (inner: ReactNode, given: P) => ReactNode) => {
  ;(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true
  const root = createRoot(document.createElement('div'))
  let now: R
  const note = (given: P) => () => {
    now = use(given)
  }
  const render = (given: P) => act(() => root.render(around(<Inside use={note(given)} />, given)))
  render(first)
  return {
    now: () => now,
    render,
    /** Does something that changes state, and lets it be drawn. */
    does: (what: (now: R) => void) => act(() => what(now)),
  }
}
