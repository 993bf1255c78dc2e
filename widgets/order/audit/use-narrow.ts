import { useSyncExternalStore } from 'react'

const query = '(max-width: 1259px)'
const subscribe = (listener: () => void) => {
  const list = matchMedia(query)
  list.addEventListener('change', listener)
  return () => list.removeEventListener('change', listener)
}

/** Whether there is too little room for the order and the work panel side by side. */
export const useNarrow = () => useSyncExternalStore(subscribe, () => matchMedia(query).matches)
