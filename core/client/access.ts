import type { ReactNode } from 'react'
import { mutate } from 'swr'
import { codes } from '../contract/codes.ts'
import type { Endpoint, InputOf, OutputOf } from '../contract/endpoint.ts'
import { type Self, user } from '../contract/user/user.ts'
import type { Host } from '../element/context.ts'
import type { MkopoEvents } from '../element/events.ts'
import { askToken } from './ask-token.ts'
import { type CallOptions, callFile, newKey, type Server, call as send } from './call.ts'
import { CallError } from './errors.ts'
import { identify, learn } from './identify.ts'
import { isSignedOut, reported } from './report.ts'
import { forget, inherit, type Scope, scopeOf } from './scope.ts'

type Reason = MkopoEvents['mkopo-token-expired']['reason']
type Filters = Readonly<Record<string, unknown>>

/** What the widget shows of its access: the panel when it has ended, and a fresh start when another person comes. */
export type AccessState = {
  ended: boolean
  /** Number of the person who uses the widget now; it changes with the person, so that nothing is carried over. */
  run: number
  /** What the list showed when the person changed; `given` is what the host had asked for by then. */
  kept?: { filters: Filters; given: Filters | undefined }
  /** A question above the screen that a call waits for. */
  question?: ReactNode
}

/** Those of the widgets on the page. */
export const live = new Set<Access>()

/**
 * The access of one widget: its calls go out with its newest token and once more with a renewed one, its end is reported once,
 * and a new token goes on where the old one stopped, unless it is somebody else's.
 */
export class Access {
  readonly #host: Host
  readonly #listeners = new Set<() => void>()
  #state: AccessState = { ended: false, run: 0 }
  #token: string | undefined
  #scope: Scope | undefined
  /** The token whose end was reported; empty for none. */
  #endReported: string | undefined
  #list: Filters | undefined

  constructor(host: Host) {
    this.#host = host
  }

  read = () => this.#state

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #set(state: AccessState) {
    this.#state = state
    for (const listener of [...this.#listeners]) listener()
  }

  /** Takes part in renewals as long as the widget is on the page. */
  attach = () => {
    const { element } = this.#host
    const listChanged = (event: HTMLElementEventMap['mkopo-filters-change']) => {
      const { filters, ...rest } = event.detail
      if (event.composedPath()[0] === element) this.#list = { ...filters, ...rest }
    }
    live.add(this)
    element.addEventListener('mkopo-filters-change', listChanged)
    return () => {
      live.delete(this)
      element.removeEventListener('mkopo-filters-change', listChanged)
    }
  }

  /** The host has given a token, another one, or taken it away. */
  see = (token: string | undefined) => {
    if (!token) {
      if (!this.#host.isSignedOut() || !this.#token) return
      const held = this.#token
      this.#token = undefined
      if (this.#endReported !== '') this.#end(undefined, 'missing')
      this.#release(held)
    } else if (this.#state.ended && this.#endReported !== token) void this.#resume(token)
    else if (token !== this.#token) {
      const before = this.#token && this.#scope
      this.#hold(token)
      if (before) void this.#compare(token, before)
    }
  }

  call = async <E extends Endpoint>(
    endpoint: E,
    input: InputOf<E>,
    options: CallOptions = {},
  ): Promise<OutputOf<E>> => {
    const held = endpoint.audit ? { ...options, key: options.key ?? newKey() } : options
    return this.#carried(endpoint, options, async token => {
      const server = this.#server(token)
      const sent = (proof?: string) => send(server, endpoint, input, { ...held, proof })
      const answer = await sent().catch(async error => {
        if (!(error instanceof CallError) || error.code !== codes.stepUp) throw error
        const { proven } = await import('./step-up.tsx')
        return proven(this, scopeOf(token), error, sent)
      })
      if ((endpoint as unknown) === user.self) learn(server, answer as Self)
      return answer
    })
  }

  /** Asks the person something, until nothing is asked. */
  question = (question: ReactNode) => this.#set({ ...this.#state, question })

  /** Fetches the file that an endpoint answers. */
  file = <E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<Blob> =>
    this.#carried(endpoint, {}, token => callFile(this.#server(token), endpoint, input as Record<string, unknown>))

  /** Sends a call with the newest token, and again with a renewed one; a command only when both belong to the same person. */
  async #carried<T>(
    endpoint: Endpoint,
    options: CallOptions,
    sent: (token: string | undefined) => Promise<T>,
  ): Promise<T> {
    const { token, fetchToken } = this.#host.now()
    if (!token && endpoint.auth !== 'anon' && this.#host.isSignedOut())
      throw this.#ended(undefined, 'missing', new CallError(codes.signedOut, 'signed out', null))
    const scope = scopeOf(token)
    const starting = !token && fetchToken && endpoint.auth !== 'anon'
    const first = starting ? await this.#renewed(undefined, scope) : token
    if (endpoint.audit && token && !scope.userNo) await identify(this.#server(token))
    const nobodyKnows = endpoint.audit && !scope.userNo
    try {
      return await sent(first)
    } catch (error) {
      if (!isSignedOut(error)) throw reported(this.#host, error, options)
      const fresh = starting ? undefined : await this.#renewed(first, scope)
      const moved = !starting && this.#host.now().token !== first
      if (fresh && moved && nobodyKnows) this.#restart()
      if (!fresh || nobodyKnows) throw moved ? error : this.#ended(first, first ? 'expired' : 'missing', error)
      try {
        return await sent(fresh)
      } catch (again) {
        if (!isSignedOut(again)) throw reported(this.#host, again, options)
        throw [first, fresh].includes(this.#host.now().token) ? this.#ended(fresh, 'revoked', again) : again
      }
    }
  }

  /** Asks the host for a token after the end. @throws when it gives none that is good */
  reconnect = async () => {
    const { token, fetchToken } = this.#host.now()
    if (!fetchToken || !(await this.#asked(fetchToken, token)) || this.#endReported !== undefined)
      throw new Error('no new token')
  }

  /** Goes on with a renewed token, which is the same person's. @returns whether it held the old one */
  renew = (old: string, fresh: string | undefined, baseUrl: string): boolean => {
    const holds = this.#token === old && !this.#state.ended && this.#host.now().baseUrl === baseUrl
    if (holds && fresh) this.#adopt(fresh, this.#scope?.userNo)
    return holds
  }

  #server(token: string | undefined): Server {
    const { baseUrl, config } = this.#host.now()
    return { ...config, baseUrl, token: () => token, language: () => this.#host.now().language }
  }

  #hold(token: string) {
    if (token === this.#token) return
    const old = this.#token
    this.#token = token
    this.#scope = scopeOf(token)
    this.#endReported = undefined
    this.#release(old)
  }

  #release(token: string | undefined) {
    if (token && ![...live].some(access => access.#token === token)) forget(token)
  }

  /** The token to send a refused call with once more; undefined when there is none. */
  async #renewed(used: string | undefined, scope: Scope): Promise<string | undefined> {
    const { token, fetchToken } = this.#host.now()
    if (token && token !== used) return used && (await this.#isSame(token, scope)) ? token : undefined
    if (!fetchToken || this.#host.isSignedOut() || this.#endReported === (used ?? '')) return undefined
    return this.#asked(fetchToken, used)
  }

  /** Whether a new token belongs to the same person: a call is never sent in another person's name. */
  async #isSame(token: string, scope: Scope) {
    if (scopeOf(token) === scope || !scope.userNo) return true
    const who = await identify(this.#server(token))
    return typeof who === 'object' && who.userNo === scope.userNo
  }

  /** One answer of the host serves every widget that shares its function and base address. */
  async #asked(fetchToken: () => Promise<string>, used: string | undefined): Promise<string | undefined> {
    const { baseUrl } = this.#host.now()
    const before = this.#scope ?? scopeOf(used)
    const sharing = () => {
      const all = [...live].filter(access => {
        const own = access.#host.now()
        return own.fetchToken === fetchToken && own.baseUrl === baseUrl && !access.#host.isSignedOut()
      })
      return [...new Set([this, ...all])]
    }
    // A widget that comes later begins with what the others have.
    const [held] = used ? [] : sharing().flatMap(access => (access.#token && !access.#state.ended ? access.#token : []))
    if (held) {
      this.#adopt(held, scopeOf(held).userNo)
      return held
    }
    const look = async (token: string) =>
      sharing().some(access => access.#scope?.userNo) ? identify(this.#server(token)) : undefined
    const renewal = await askToken(fetchToken, baseUrl, look).catch(cause => void console.warn('fetchToken', cause))
    if (!renewal) return undefined
    const { token, who } = renewal
    if (who === 'refused') return token
    const known = before.userNo
    for (const access of sharing()) access.#adopt(token, who?.userNo)
    return known && who && who.userNo !== known ? undefined : token
  }

  #adopt(fresh: string, userNo: string | undefined) {
    const known = this.#scope?.userNo
    const other = known !== undefined && (userNo === undefined ? this.#state.ended : userNo !== known)
    if (!other && !this.#state.ended) inherit(this.#token, fresh)
    this.#hold(fresh)
    if (userNo) scopeOf(fresh).userNo = userNo
    this.#endReported = undefined
    this.#host.setToken(fresh)
    if (other) this.#restart()
    else if (this.#state.ended) this.#set({ ...this.#state, ended: false })
  }

  async #resume(token: string) {
    const known = this.#scope?.userNo
    const who = known ? await identify(this.#server(token)) : undefined
    if (this.#host.now().token !== token || this.#endReported === undefined) return
    if (who === 'refused') return void this.#ended(token, 'revoked', new CallError(codes.signedOut, 'refused', null))
    this.#adopt(token, who?.userNo)
  }

  /** A token that replaces a valid one may belong to another person. */
  async #compare(token: string, before: Scope) {
    const who = before.userNo ? await identify(this.#server(token)) : undefined
    if (typeof who === 'object' && who.userNo !== before.userNo && this.#host.now().token === token) this.#restart()
  }

  /** Another person, or an unknown one: typed and shown values go, only the filters of the list remain. */
  #restart() {
    const kept = this.#list && { filters: this.#list, given: this.#host.now().filters }
    this.#set({ ended: false, run: this.#state.run + 1, ...(kept ? { kept } : {}) })
  }

  /** A refused token ends every widget that holds it; a missing one only this widget. */
  #ended(used: string | undefined, reason: Reason, error: CallError) {
    const { fetchToken, baseUrl } = this.#host.now()
    for (const access of new Set([this, ...live])) {
      const own = access.#host.now()
      const shares = used !== undefined && access.#token === used
      const same = access === this || (shares && own.fetchToken === fetchToken && own.baseUrl === baseUrl)
      if (same && access.#endReported !== (used ?? '')) access.#end(used, reason, error.message)
    }
    return error
  }

  #end(used: string | undefined, reason: Reason, message = 'signed out') {
    const { emit, tag, now } = this.#host
    const scope = this.#scope
    this.#endReported = used ?? ''
    if (scope) void mutate(key => Array.isArray(key) && key[0] === scope.id, undefined, { revalidate: false })
    const retry = now().fetchToken && (() => void this.reconnect().catch(() => undefined))
    emit('mkopo-error', { tag, type: 'session', code: codes.signedOut, message, ...(retry ? { retry } : {}) })
    if (emit('mkopo-token-expired', { tag, reason })) this.#set({ ...this.#state, ended: true })
  }
}
