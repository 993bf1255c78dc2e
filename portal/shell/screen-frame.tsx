import { createElement, type Ref, useEffect, useMemo, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { enterPage } from '../../core/client/tracking.ts'
import { fromEntries, toEntries } from '../../core/client/url-state.ts'
import { homePath, loginPath, type Page } from '../../core/contract/pages.ts'
import { useHost } from '../../core/element/context.ts'
import type { MkopoEvents } from '../../core/element/events.ts'
import { plan } from '../dialogs/late.tsx'
import { useLeave } from './leaving.tsx'
import { PageTitle, Trail } from './page-title.tsx'
import type { PortalState } from './portal-state.ts'
import { readRecent, type Session } from './storage.ts'
import type { useSigning } from './use-signing.ts'

const records = ['orderNo', 'caseNo', 'from', 'open']

type Props = { route: Page; portal: PortalState; signing: ReturnType<typeof useSigning> }

/** Tells tracking that a page opened from another was entered and left, also when the tab closes. */
const useStay = (route: Page, from: string | null, orderNo: string | null, token: string | null) => {
  const held = useRef(token)
  held.current = token ?? held.current
  useEffect(() => {
    if (!from || !orderNo || (route.name !== 'OrderDetail' && route.name !== 'OrderAudit')) return
    return enterPage({ page: route.name, from, orderNo }, { token: () => held.current })
  }, [route.name, from, orderNo])
}

type Address = { record: boolean; params: URLSearchParams; state: unknown }

/** What the events of a screen do to the address. */
const useMoves = ({ record, params, state }: Address) => {
  const navigate = useNavigate()
  const leave = useLeave()
  const filtersChanged = ({ detail }: CustomEvent<MkopoEvents['mkopo-filters-change']>) => {
    const next = new URLSearchParams(toEntries({ sort: '', ...detail }))
    if (record) for (const name of records) if (params.get(name)) next.set(name, params.get(name) as string)
    if (next.toString() === params.toString()) return
    const [was, is] = [params.get('open'), next.get('open')]
    if (was !== null && is === null && state === drawer && without(next) === without(params)) return navigate(-1)
    navigate({ search: next.toString() }, opening(was, is, state))
  }
  const goTo = (event: CustomEvent<MkopoEvents['mkopo-navigate']>) => {
    event.preventDefault()
    const { to, query, target } = event.detail
    const address = `${to}${Object.keys(query).length ? `?${new URLSearchParams(query)}` : ''}`
    if (target === 'new') window.open(address, '_blank', 'opener')
    else leave(() => navigate(address))
  }
  return { 'onmkopo-filters-change': filtersChanged, 'onmkopo-navigate': goTo }
}

type TitleProps = {
  route: Page
  record: boolean
  from: string | null
  session: Session | null
  heading: Ref<HTMLHeadingElement>
}

/** The title of a page, of a record with the way to it. */
const titleOf = ({ route, record, from, session, heading }: TitleProps, go: (path: string) => void) => {
  if ([homePath, loginPath].includes(route.path) || !session) return null
  return record ? (
    <Trail page={route} slot="title" ref={heading} from={from} allowedPaths={session.allowedPaths} go={go} />
  ) : (
    <PageTitle page={route} slot="title" ref={heading} />
  )
}

/** Draws the screen of a page as its element: the address gives it filters and record, its events move the address. */
export const ScreenFrame = ({ route, portal, signing }: Props) => {
  const navigate = useNavigate()
  const leave = useLeave()
  const { theme } = useHost().props
  const { search, state, hash } = useLocation()
  const params = useMemo(() => new URLSearchParams(search), [search])
  const record = isRecord(route)
  const heading = useRef<HTMLHeadingElement>(null)
  const filters = useMemo(
    () => fromEntries([...params].filter(([name]) => !record || !records.includes(name))),
    [params, record],
  )
  const [orderNo, from] = record ? [params.get('orderNo'), params.get('from')] : [null, null]
  useStay(route, from, orderNo, portal.session?.token ?? null)

  const moves = useMoves({ record, params, state })
  const given = {
    class: 'mk-screen',
    'data-record': record || undefined,
    token: portal.session?.token,
    language: portal.language,
    theme,
    density: portal.settings.density,
    filters,
    open: record ? undefined : (params.get('open') ?? undefined),
    orderNo: orderNo ?? undefined,
    from: from ?? undefined,
    ...(route.path === homePath ? homeProps(portal) : {}),
    'onmkopo-ready': ({ currentTarget }: { currentTarget: HTMLElement }) => {
      plan()
      arrive(currentTarget, heading.current)
    },
    ...(route.path === loginPath ? loginProps(portal, hash) : {}),
    ...moves,
    'onmkopo-signed-in': (event: CustomEvent<Session>) => signing.signedIn(event.detail),
    'onmkopo-continue': () => void navigate(homePath),
    'onmkopo-sign-out': () => void signing.signOut(),
    'onmkopo-language': (event: CustomEvent<{ language: PortalState['language'] }>) =>
      portal.setLanguage(event.detail.language),
  }
  const title = { route, record, from, session: portal.session, heading }
  return createElement(
    route.tag,
    given,
    titleOf(title, path => leave(() => navigate(path))),
  )
}

/** Focus on arrival: people go on from its title, unless the screen or a dialog has taken the focus already. */
const arrive = (screen: HTMLElement, heading: HTMLElement | null) => {
  const at = (screen.getRootNode() as ShadowRoot).activeElement
  if (at?.matches('.mk-screen') || at?.closest('[role=dialog]')) return
  const place = heading ?? screen.closest('main')
  place?.focus({ preventScroll: true })
}

const without = (params: URLSearchParams) =>
  new URLSearchParams([...params].filter(([name]) => name !== 'open')).toString()

/** Marks a step of the history that opened a drawer: Back closes it, whichever record it shows by then. */
const drawer = 'drawer'
const opening = (was: string | null, is: string | null, state: unknown) => {
  if (was === is) return {}
  return was === null ? { state: drawer } : { replace: true, state: is === null ? null : state }
}

/** What this browser keeps for Home. */
const homeProps = ({ session, settings, setSettings }: PortalState) => ({
  tiles: settings.homeTiles?.join(),
  recent: session ? readRecent(session.userInfo.userNo).join() : undefined,
  'onmkopo-tiles': ({ detail }: CustomEvent<{ tiles: readonly string[] }>) =>
    setSettings({ ...settings, homeTiles: detail.tiles }),
})

/** A one-time link stands behind the `#`, which no server and no log gets to see. */
const loginProps = ({ displaced, session, settings }: PortalState, hash: string) => ({
  link: hash.startsWith('#link=') ? hash.slice('#link='.length) : undefined,
  displacedTime: displaced?.time,
  displacedFrom: displaced?.from,
  slideWanted: settings.graphicVerificationIsOpenStatus ? 'yes' : undefined,
  present: session?.userInfo.realName,
})

const isRecord = (route: Page) => route.system === 'OrderDetailAudit'
