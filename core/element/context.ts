import { createContext, useContext } from 'react'
import type { Messages } from '../i18n/index.ts'
import type { Language } from '../i18n/language.ts'
import type { EventName, MkopoEvents } from './events.ts'

/** Settings of the API client of a widget, where they differ from the defaults. */
export type ApiConfig = {
  successCode?: number
  tokenHeader?: string
  authHeader?: string
  trackingBase?: string
  timeout?: number
}

/** What a widget is given, with the defaults filled in; further ones come from its own `props`. */
export type WidgetProps = Readonly<
  {
    token?: string
    language: Language
    baseUrl: string
    theme: 'light' | 'dark'
    accent: 'teal' | 'blue' | 'green' | 'orange'
    radius: 'none' | 'small' | 'medium' | 'large'
    density: 'normal' | 'compact'
    orderNo?: string
    from?: string
    open?: string
    urlState?: string
    fetchToken?: () => Promise<string>
    filters?: Readonly<Record<string, unknown>>
    messages?: Partial<Messages>
    config?: ApiConfig
  } & Record<string, unknown>
>

/** The custom element that a screen runs in, as its parts see it. */
export type Host = {
  /** The custom element itself. */
  element: HTMLElement
  tag: string
  /** Its address in the console. */
  path?: string
  /** Which of several lists of the element this is. */
  part?: string
  props: WidgetProps
  /** The props at the time of the call, for code that runs later than the render. */
  now: () => WidgetProps
  /** Replaces the token by a renewed one. */
  setToken: (token: string) => void
  /** The host has removed the token, as opposed to never having given one. */
  isSignedOut: () => boolean
  /** Sends an event from the element. @returns false when a listener prevented its default. */
  emit: <K extends EventName>(name: K, detail: MkopoEvents[K]) => boolean
}

/** The host of the parts below; null outside of a widget. */
export const HostContext = createContext<Host | null>(null)
/** Where overlays of the parts below are rendered: inside the shadow root, so that they are styled. */
export const PortalContext = createContext<HTMLElement | null>(null)

/** The widget around this component. */
export const useHost = () => {
  const host = useContext(HostContext)
  if (!host) throw new Error('useHost outside of a widget')
  return host
}

/** Where overlays of this widget belong: inside its own shadow root, in the top layer. */
export const usePortalContainer = () => useContext(PortalContext)
