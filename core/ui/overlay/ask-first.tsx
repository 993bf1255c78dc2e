import { lazy, type ReactNode, Suspense, useState } from 'react'

const Discard = lazy(async () => ({ default: (await import('./discard.tsx')).Discard }))

/** Does something that leaves what people typed: at once where nothing is lost by it, otherwise when they have said so. */
export type Leave = (run: () => void) => void

/** How something is left that may hold typed text, and the question that it comes to when `loses` says so. */
export const useAskFirst = (loses: () => boolean): { leave: Leave; question: ReactNode } => {
  const [wanted, setWanted] = useState<{ run: () => void } | null>(null)
  const go = () => {
    setWanted(null)
    wanted?.run()
  }
  return {
    leave: run => (loses() ? setWanted({ run }) : run()),
    question: wanted && (
      <Suspense fallback={null}>
        <Discard stay={() => setWanted(null)} leave={go} />
      </Suspense>
    ),
  }
}
