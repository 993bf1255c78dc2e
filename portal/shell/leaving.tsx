import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'
import { type Leave, useAskFirst } from '../../core/ui/overlay/ask-first.tsx'
import { unsaved } from '../../core/ui/unsaved.ts'

/** Milliseconds after which a form that was just sent is gone. */
const settled = 50

const LeaveContext = createContext<Leave>(run => run())

/** How a page is left: what would lose typed text is asked about before. */
export const useLeave = () => useContext(LeaveContext)

/** Where the browser stands in the history of this tab, as the router counts it. */
const place = (): number => (history.state as { idx?: number } | null)?.idx ?? 0

/** Asks before Back and Forward: the page has moved by then, so it is taken back, and goes there once that was said. */
const useBackAndForward = (leave: Leave) => {
  const location = useLocation()
  const at = useRef(place())
  // biome-ignore lint/correctness/useExhaustiveDependencies: every page has its place
  useEffect(() => {
    at.current = place()
  }, [location.key])
  const ask = useRef(leave)
  ask.current = leave
  // As a layout effect of a child it is asked before the router around it.
  useLayoutEffect(() => {
    /** Steps of our own, which nobody or only the router hears of. */
    let own: 'back' | 'on' | null = null
    const moved = (event: PopStateEvent) => {
      const step = own
      own = null
      if (step === 'back') return event.stopImmediatePropagation()
      const by = place() - at.current
      if (step === 'on' || by === 0 || !unsaved.losing()) return
      event.stopImmediatePropagation()
      own = 'back'
      history.go(-by)
      ask.current(() => {
        own = 'on'
        history.go(by)
      })
    }
    addEventListener('popstate', moved)
    return () => removeEventListener('popstate', moved)
  }, [])
}

/** Asks before a page with typed text is left, by whichever way. */
export const Leaving = ({ children }: { children: ReactNode }) => {
  const { leave, question } = useAskFirst(unsaved.losing)
  useBackAndForward(leave)
  const go: Leave = run => {
    if (unsaved.losing()) setTimeout(() => leave(run), settled)
    else run()
  }
  return (
    <LeaveContext value={go}>
      {children}
      {question}
    </LeaveContext>
  )
}
