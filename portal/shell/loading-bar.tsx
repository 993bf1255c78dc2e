import '../../core/element/leaves/mkopo-loading.ts'
import { createElement, useSyncExternalStore } from 'react'
import { loadingStore } from '../../core/client/loading.ts'

/** The one indicator of the console: there as long as any counted call of any element runs. */
export const LoadingBar = () => {
  const active = useSyncExternalStore(loadingStore.subscribe, loadingStore.read)
  return createElement('mkopo-loading', { class: 'mk-loading-bar', active })
}
