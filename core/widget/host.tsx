import {
  type ComponentType,
  Fragment,
  type ReactNode,
  type RefObject,
  Suspense,
  use,
  useDeferredValue,
  useEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { type Host, HostContext, PortalContext, useHost } from '../element/context.ts'
import { withDefaults } from '../element/defaults.ts'
import { planWords, TextContext, useBesides, wordsFor } from '../element/i18n.ts'
import { loadOnce } from '../element/load-once.ts'
import { PortalRoot } from '../element/portal-root.tsx'
import type { Store } from '../element/store.ts'
import { TitleContext } from '../element/title.tsx'
import { version } from '../element/version.ts'
import { Loading } from '../ui/states.tsx'
import { ThemeRoot } from '../ui/theme.tsx'
import { Boundary } from './boundary.tsx'
import { screenOf } from './load-screen.ts'
import type { Target, TargetProps } from './target.ts'
import type { Providers, WidgetMeta } from './widget-meta.ts'

/** What the host of a screen is built from; `others` loads the widgets that links may open. */
export type HostParts = {
  meta: WidgetMeta
  store: Store
  others: () => Promise<readonly WidgetMeta[]>
  providers?: Providers
}

/** What stands between the element and its screen: theme, words, client, error boundary, overlays. */
export const WidgetHost = ({ meta, store, others, providers: Provided = Fragment }: HostParts) => {
  const [target, setTarget] = useState<Target | null>(null)
  const [titles, take] = useReducer((sum: number, by: number) => sum + by, 0)
  const host = useHostOf(meta, store, setTarget)
  const [portal, setPortal] = useState<HTMLElement | null>(null)
  // Asked for beside each other, not one after the other.
  useState(() => {
    planWords(host.props.language)
    screenOf(meta).catch(() => undefined)
  })
  const ready = useRef(false)
  const { language, theme, density, accent, radius } = host.props
  return (
    <ThemeRoot
      {...{ language, theme, density, accent, radius }}
      painted={theme === 'dark' || store.read().theme !== undefined}
    >
      <HostContext value={host}>
        <PortalContext value={portal}>
          {titles === 0 && <slot name="title" className="w-title" />}
          {portal && (
            <Boundary>
              <Suspense fallback={<Loading />}>
                <Words meta={meta}>
                  <Provided>
                    <TitleContext value={take}>
                      <ScreenView meta={meta} ready={ready} />
                    </TitleContext>
                    {target && (
                      <Suspense fallback={null}>
                        <Followed {...{ target, others }} providers={Provided} close={() => setTarget(null)} />
                      </Suspense>
                    )}
                  </Provided>
                </Words>
              </Suspense>
            </Boundary>
          )}
        </PortalContext>
      </HostContext>
      <PortalRoot ref={setPortal} />
    </ThemeRoot>
  )
}

const useHostOf = (meta: WidgetMeta, store: Store, follow: (target: Target) => void): Host => {
  const values = useSyncExternalStore(store.subscribe, store.read)
  useEffect(() => {
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const changed = () => store.touch()
    scheme.addEventListener('change', changed)
    return () => scheme.removeEventListener('change', changed)
  }, [store])
  return useMemo(() => {
    const { element } = store
    return {
      element,
      tag: meta.tag,
      ...(meta.path ? { path: meta.path } : {}),
      emit: (name, detail) => {
        const wanted = store.emit(name, detail)
        if (wanted && name === 'mkopo-navigate') follow(detail as Target)
        return wanted
      },
      now: () => withDefaults(element, store.read()),
      setToken: token => store.set('token', token),
      isSignedOut: () => 'token' in store.read() && !store.read().token,
      props: withDefaults(element, values),
    }
  }, [meta, store, values, follow])
}

/** A change of language waits for its words while the old ones stay: nothing remounts, nothing flashes. */
const Words = ({ meta, children }: { meta: WidgetMeta; children: ReactNode }) => {
  const { tag, props } = useHost()
  const language = useDeferredValue(props.language)
  const { calls, first = calls } = use(screenOf(meta))
  const spoken = use(wordsFor(language, tag, first))
  return <TextContext value={useBesides(spoken)}>{children}</TextContext>
}

/** Says once that it stands, also when it was hidden meanwhile or started again for another person. */
const ScreenView = ({ meta, ready }: { meta: WidgetMeta; ready: RefObject<boolean> }) => {
  const { tag, emit, props } = useHost()
  const Screen = use(screenOf(meta)).render
  const Addressed = props.urlState === undefined ? Fragment : use(late('address', addressed))
  useEffect(() => {
    if (ready.current) return
    ready.current = true
    emit('mkopo-ready', { tag, version })
  }, [tag, emit, ready])
  return (
    <Addressed>
      <Screen />
    </Addressed>
  )
}

const parts = new Map<string, Promise<ComponentType<never>>>()
const late = <P,>(name: string, load: () => Promise<ComponentType<P>>) =>
  loadOnce(parts as Map<string, Promise<unknown>>, name, load) as Promise<ComponentType<P>>
const addressed = async () => (await import('./addressed.tsx')).Addressed
const drawer = async () => (await import('./target-drawer.tsx')).TargetDrawer

/** Where a link led that the page left to the widget. */
const Followed = (p: TargetProps) => {
  const Drawer = use(late('target', drawer))
  return <Drawer {...p} />
}
