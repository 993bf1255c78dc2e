import { useEffect } from 'react'
import { refresh } from '../../core/client/providers.tsx'
import { codes } from '../../core/contract/codes.ts'
import { user } from '../../core/contract/user/user.ts'
import { useHost } from '../../core/element/context.ts'
import type { MkopoEvents } from '../../core/element/events.ts'

/** Answers that a dialog of their own says, or that end the session. */
const quiet: readonly (number | undefined)[] = [codes.needsConfirmation, codes.stepUp, codes.signedOut]

/** What a call was refused with is said once, whichever element made it; a refused right makes the console look at its rights again. */
export const useCallErrors = (signedIn: boolean) => {
  const { element, emit } = useHost()
  useEffect(() => {
    if (!signedIn) return
    const failed = ({ detail }: CustomEvent<MkopoEvents['mkopo-error']>) => {
      if (detail.type === 'forbidden') refresh(user.self)
      if (detail.code !== undefined && !quiet.includes(detail.code))
        emit('mkopo-toast', { type: 4, message: detail.message, ms: 2000 })
    }
    element.addEventListener('mkopo-error', failed)
    return () => element.removeEventListener('mkopo-error', failed)
  }, [element, emit, signedIn])
}
