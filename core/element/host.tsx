import {
  Fragment,
  type ReactNode,
  Suspense,
  use,
  useDeferredValue,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import { Theme } from '../ui/basics.ts'
import { Loading } from '../ui/states.tsx'
import { Boundary } from './boundary.tsx'
import { type Host, HostContext, PortalContext, useHost } from './context.ts'
import { withDefaults } from './defaults.ts'
import type { Providers, WidgetMeta } from './define-widget.tsx'
import { TextContext, wordsFor } from './i18n.ts'
import { screenOf } from './load-screen.ts'
import { PortalRoot } from './portal-root.tsx'
import type { Store } from './store.ts'

/** Names the build: release and content. */
export const version = process.env.MKOPO_VERSION ?? 'dev'

export type HostParts = { meta: WidgetMeta; store: Store; providers?: Providers }

/** What stands between the element and its screen: theme, words, client, error boundary, overlays. */
export const WidgetHost = ({ meta, store, providers: Provided = Fragment }: HostParts) => {
  const host = useHostOf(meta, store)
  const [portal, setPortal] = useState<HTMLElement | null>(null)
  const { language, theme, density } = host.props
  return (
    <Theme
      className="w-root"
      appearance={theme}
      accentColor="teal"
      grayColor="slate"
      radius="small"
      scaling="95%"
      panelBackground="solid"
      hasBackground={theme === 'dark' || store.read().theme !== undefined}
      lang={language}
      data-density={density}
    >
      <HostContext value={host}>
        <PortalContext value={portal}>
          {portal && (
            <Boundary>
              <Suspense fallback={<Loading />}>
                <Words>
                  <Provided>
                    <ScreenView meta={meta} />
                  </Provided>
                </Words>
              </Suspense>
            </Boundary>
          )}
        </PortalContext>
      </HostContext>
      <PortalRoot ref={setPortal} />
    </Theme>
  )
}

const useHostOf = (meta: WidgetMeta, store: Store): Host => {
  const values = useSyncExternalStore(store.subscribe, store.read)
  useEffect(() => {
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const changed = () => store.touch()
    scheme.addEventListener('change', changed)
    return () => scheme.removeEventListener('change', changed)
  }, [store])
  return useMemo(() => {
    const { element, emit } = store
    const now = () => withDefaults(element, store.read())
    return { element, tag: meta.tag, emit, now, props: withDefaults(element, values) }
  }, [meta, store, values])
}

/** A change of language waits for its words while the old ones stay: nothing remounts, nothing flashes. */
const Words = ({ children }: { children: ReactNode }) => {
  const language = useDeferredValue(useHost().props.language)
  return <TextContext value={use(wordsFor(language))}>{children}</TextContext>
}

const ScreenView = ({ meta }: { meta: WidgetMeta }) => {
  const { tag, emit } = useHost()
  const Screen = use(screenOf(meta)).render
  useEffect(() => void emit('mkopo-ready', { tag, version }), [tag, emit])
  return <Screen />
}
