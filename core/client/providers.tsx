import { createContext, type ReactNode, useContext, useMemo } from 'react'
import useSWR, { mutate, type SWRConfiguration } from 'swr'
import { codes } from '../contract/codes.ts'
import type { Endpoint, InputOf, OutputOf } from '../contract/endpoint.ts'
import type { Self } from '../contract/user.ts'
import { user } from '../contract/user.ts'
import { useHost } from '../element/context.ts'
import { type CallOptions, callFile, type Server, call as send } from './call.ts'
import { CallError, ContractError, TransportError } from './errors.ts'

export type Client = {
  call: <E extends Endpoint>(endpoint: E, input: InputOf<E>, options?: CallOptions) => Promise<OutputOf<E>>
  /** Fetches the file of an endpoint that answers one. */
  file: <E extends Endpoint>(endpoint: E, input: InputOf<E>) => Promise<Blob>
}

const ClientContext = createContext<Client | null>(null)

const typeOf = (error: unknown) => {
  if (error instanceof CallError)
    return error.code === codes.signedOut ? 'session' : error.code === codes.forbidden ? 'forbidden' : 'server'
  if (error instanceof ContractError) return 'contract'
  return error instanceof TransportError ? 'network' : 'render'
}

/** Gives a widget its client: calls go to its base address with its newest token, in its language. */
export const ClientProviders = ({ children }: { children: ReactNode }) => {
  const host = useHost()
  const client = useMemo<Client>(() => {
    const told = async <T,>(work: (server: Server) => Promise<T>, signal?: AbortSignal): Promise<T> => {
      const { baseUrl, config } = host.now()
      const server: Server = {
        ...config,
        baseUrl,
        token: () => host.now().token,
        language: () => host.now().language,
      }
      try {
        return await work(server)
      } catch (error) {
        if (signal?.aborted) throw error
        const type = typeOf(error)
        const code = error instanceof CallError ? error.code : undefined
        if (code === codes.signedOut)
          host.emit('mkopo-token-expired', { tag: host.tag, reason: host.now().token ? 'expired' : 'missing' })
        else host.emit('mkopo-error', { tag: host.tag, type, code, message: (error as Error).message })
        throw error
      }
    }
    return {
      call: (endpoint, input, options) => told(server => send(server, endpoint, input, options), options?.signal),
      file: (endpoint, input) => told(server => callFile(server, endpoint, input as Record<string, unknown>)),
    }
  }, [host])
  return <ClientContext value={client}>{children}</ClientContext>
}

export const useClient = (): Client => {
  const client = useContext(ClientContext)
  if (!client) throw new Error('useClient outside of a widget')
  return client
}

/** What a read knows: its data, and while there is none, why. Earlier data stays on screen while a newer answer is awaited. */
export type Loaded<T> = { data: T | undefined; error: unknown; loading: boolean; retry: () => Promise<unknown> }

/** Reads an endpoint; `null` input waits. The same call of several widgets of one user is one request. */
export const useRead = <E extends Endpoint>(
  endpoint: E,
  input: InputOf<E> | null,
  options: SWRConfiguration & { background?: boolean } = {},
): Loaded<OutputOf<E>> => {
  const client = useClient()
  const host = useHost()
  const { background, ...swr } = options
  const key =
    input === null
      ? null
      : [host.props.token ?? '', host.props.baseUrl, endpoint.method, endpoint.path, host.props.language, input]
  const { data, error, isLoading, isValidating, mutate } = useSWR<OutputOf<E>>(
    key,
    () => client.call(endpoint, input as InputOf<E>, { background }),
    {
      keepPreviousData: true,
      revalidateOnFocus: false,
      shouldRetryOnError: false,
      ...swr,
    },
  )
  return { data, error, loading: isLoading || (isValidating && data === undefined), retry: () => mutate() }
}

/** Reads endpoints again wherever they are on screen, in every widget of the page. */
export const refresh = (...endpoints: readonly Endpoint[]) => {
  const paths = endpoints.map(endpoint => endpoint.path as string)
  void mutate(key => Array.isArray(key) && paths.includes(String(key[3])))
}

/** The signed-in user: rights, menu, allowed pages. */
export const useSelf = (): Loaded<Self> => useRead(user.self, {}, { background: true, revalidateIfStale: false })

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
      call: (endpoint: Pick<Endpoint, 'perm' | 'anyPerm'>) =>
        data !== undefined &&
        ((!endpoint.perm && !endpoint.anyPerm) ||
          (endpoint.perm !== undefined && held.has(endpoint.perm)) ||
          (endpoint.anyPerm?.some(perm => held.has(perm)) ?? false)),
      have: (perm: string) => held.has(perm),
      reveal: (kind: string) => sensitive.has(`pii:reveal:${kind}`),
      open: (path: string) => data?.allowedPaths.includes(path.toLowerCase()) ?? false,
    }
  }, [data])
}
