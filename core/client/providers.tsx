import {
  Activity,
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import useSWR, { mutate as reload, type SWRConfiguration } from 'swr'
import type { Endpoint, InputOf, OutputOf } from '../contract/endpoint.ts'
import { alwaysAllowed } from '../contract/pages.ts'
import type { Self } from '../contract/user/user.ts'
import { user } from '../contract/user/user.ts'
import { type Host, HostContext, useHost } from '../element/context.ts'
import { putWords } from '../element/i18n.ts'
import { Access, type AccessState } from './access.ts'
import { lastCommand } from './call.ts'
import { scopeOf } from './scope.ts'
import { SignedOut } from './signed-out.tsx'

/** The two ways to call the server: for data, and for a file. */
export type Client = Pick<Access, 'call' | 'file'>

const ClientContext = createContext<Client | null>(null)

/** What the list was filtered by stays when somebody else goes on, unless the host has asked for something since. */
const useKept = ({ kept }: AccessState) => {
  const host = useHost()
  return useMemo(
    () =>
      kept && host.props.filters === kept.given ? { ...host, props: { ...host.props, filters: kept.filters } } : host,
    [host, kept],
  )
}

/**
 * Gives a widget its client: calls go to its base address with its newest token, in its language. When the access has ended its
 * screen is hidden, not dropped: what was typed is there again for the same person.
 */
export const ClientProviders = ({ children }: { children: ReactNode }) => {
  const host = useHost()
  const [access] = useState(() => new Access(host))
  const state = useSyncExternalStore(access.subscribe, access.read)
  const kept = useKept(state)
  const { token, fetchToken } = host.props
  useEffect(() => access.attach(), [access])
  useEffect(() => access.see(token), [access, token])
  return (
    <ClientContext value={access}>
      <HostContext value={kept}>
        <Activity key={state.run} mode={state.ended ? 'hidden' : 'visible'}>
          {children}
        </Activity>
        {state.question}
      </HostContext>
      {state.ended && <SignedOut {...(fetchToken ? { reconnect: access.reconnect } : {})} />}
    </ClientContext>
  )
}

/** The client of the widget around. @throws outside of a widget */
export const useClient = (): Client => {
  const client = useContext(ClientContext)
  if (!client) throw new Error('useClient outside of a widget')
  return client
}

/** The state of a read: its data, or its error. Earlier data stays on screen while a newer answer is loading. */
export type Loaded<T> = { data: T | undefined; error: unknown; loading: boolean; retry: () => Promise<unknown> }

/** When each answer was asked for; of answers that are no objects nothing is kept. */
const askTimes = new WeakMap<object, number>()

/** Paths of what people act by: lists, figures, badges. */
const following = new Set<string>()

const keyOf = ({ props }: Host, endpoint: Endpoint, input: unknown) => [
  scopeOf(props.token).id,
  props.baseUrl,
  endpoint.method,
  endpoint.path,
  props.language,
  input,
]

/** Reads what is likely to be asked for next, so that it is there; what fails is asked again where it is needed. */
export const usePrefetch = () => {
  const client = useClient()
  const host = useHost()
  return useCallback(
    <E extends Endpoint>(endpoint: E, input: InputOf<E>) =>
      void reload(keyOf(host, endpoint, input), client.call(endpoint, input, { background: true }), {
        revalidate: false,
      }).catch(() => undefined),
    [client, host],
  )
}

/** Reads an endpoint; `null` input waits. What comes on screen from before a command is asked for again. The same call of several widgets of one user is one request. What `follows` is read again after each command that changed something. */
export const useRead = <E extends Endpoint>(
  endpoint: E,
  input: InputOf<E> | null,
  options: SWRConfiguration & { background?: boolean; follows?: boolean } = {},
): Loaded<OutputOf<E>> => {
  const client = useClient()
  const host = useHost()
  const { background, follows, ...swr } = options
  if (follows) following.add(endpoint.path)
  const key = input === null ? null : keyOf(host, endpoint, input)
  const { data, error, isLoading, isValidating, mutate } = useSWR<OutputOf<E>>(
    key,
    async () => {
      const asked = performance.now()
      const answer = await client.call(endpoint, input as InputOf<E>, { background, retry: () => void reload(key) })
      askTimes.set(Object(answer) as object, asked)
      return answer
    },
    {
      keepPreviousData: true,
      revalidateOnFocus: false,
      shouldRetryOnError: false,
      ...swr,
    },
  )
  useEffect(() => {
    if (data && (askTimes.get(data) ?? lastCommand) < lastCommand) void mutate()
  }, [data, mutate])
  return { data, error, loading: isLoading || (isValidating && data === undefined), retry: () => mutate() }
}

const readAgain = (isMeant: (path: string) => boolean) =>
  void reload(key => Array.isArray(key) && isMeant(String(key[3])))

/** Reads endpoints again wherever they are on screen, in every widget of the page. */
export const refresh = (...endpoints: readonly Endpoint[]) => {
  const paths = endpoints.map(endpoint => endpoint.path as string)
  readAgain(path => paths.includes(path))
}

/** Revalidates lists, figures and badges together after a command. */
export const refreshFollowing = () => readAgain(path => following.has(path))

/** The signed-in user: rights, menu, allowed pages. */
export const useSelf = (): Loaded<Self> => {
  const { language } = useHost().props
  const self = useRead(user.self, {}, { background: true, revalidateIfStale: false })
  const { data } = self
  useEffect(() => {
    if (data) putWords(language, data.words)
  }, [data, language])
  return self
}

/** The console has pages that everybody may open; the token of a partner's page names all of its own. */
const canOpen = (self: Self | undefined, path: string) =>
  self !== undefined &&
  (self.allowedPaths.includes(path.toLowerCase()) ||
    (!self.embedded && alwaysAllowed.some(name => path.endsWith(`/${name}`))))

/** Whether a link to a page leads anywhere for the signed-in user; false until that is known. */
export const useMayOpen = (path: string): boolean => canOpen(useSelf().data, path)

/** A command on money is a partner page's only where its grant names it; in the console the operation code decides alone. */
const isNamed = ({ money, audit = '' }: Pick<Endpoint, 'money' | 'audit'>, named: readonly string[] | undefined) =>
  !money || !named || named.includes(audit)

/** Whether the signed-in user may call an endpoint; false until that is known. */
export const useMay = () => {
  const { data } = useSelf()
  return useMemo(() => {
    const held = new Set<string>()
    const collect = (nodes: Self['userMenu']) => {
      for (const node of nodes) {
        if (node.perms) held.add(node.perms)
        collect(node.childList)
      }
    }
    if (data) collect(data.userMenu)
    const sensitive = new Set(data?.sensitivePerms)
    return {
      known: data !== undefined,
      call: (endpoint: Pick<Endpoint, 'perm' | 'anyPerm' | 'money' | 'audit' | 'sees'>) =>
        data !== undefined &&
        (!endpoint.sees || sensitive.has(`pii:reveal:${endpoint.sees}`)) &&
        isNamed(endpoint, data.embedded?.moneyCommands) &&
        ((!endpoint.perm && !endpoint.anyPerm) ||
          (endpoint.perm !== undefined && held.has(endpoint.perm)) ||
          (endpoint.anyPerm?.some(perm => held.has(perm)) ?? false)),
      have: (perm: string) => held.has(perm),
      reveal: (kind: string) => sensitive.has(`pii:reveal:${kind}`),
      open: (path: string) => canOpen(data, path),
    }
  }, [data])
}
