import type { LanguageRow } from '../../core/contract/language.ts'
import type { Displaced } from '../../core/contract/user/session.ts'
import type { Self, UserInfo } from '../../core/contract/user/user.ts'
import { type Language, languageOf, languages } from '../../core/i18n/language.ts'

/** What the browser keeps of a session; ends with it. */
export type Session = { token: string } & Self

export type Settings = {
  graphicVerificationIsOpenStatus: boolean
  miscellaneousFunctionIsOpenStatus: boolean
  menuStyle: 'vertical' | 'crosswise'
  theme?: 'light' | 'dark'
  density?: 'normal' | 'compact'
  /** Keys of the tiles of Home, in the order that was chosen. */
  homeTiles?: readonly string[]
}
export const defaultSettings: Settings = {
  graphicVerificationIsOpenStatus: false,
  miscellaneousFunctionIsOpenStatus: true,
  menuStyle: 'vertical',
}

const sessionKeys = [
  ...(['token', 'userInfo', 'userMenu', 'allowedPaths', 'sensitivePerms', 'passwordUpdateStatus'] as const),
  'watermark',
] as const

/** A value that cannot be parsed counts as absent. */
const readJson = <T>(store: Storage, key: string): T | undefined => {
  try {
    const text = store.getItem(key)
    return text === null ? undefined : (JSON.parse(text) as T)
  } catch {
    return undefined
  }
}

export const readSession = (): Session | null => {
  const token = sessionStorage.getItem('token')
  const userInfo = readJson<UserInfo>(sessionStorage, 'userInfo')
  if (!token || !userInfo) return null
  return {
    token,
    userInfo,
    userMenu: readJson(sessionStorage, 'userMenu') ?? [],
    allowedPaths: readJson(sessionStorage, 'allowedPaths') ?? [],
    sensitivePerms: readJson(sessionStorage, 'sensitivePerms') ?? [],
    passwordUpdateStatus: readJson(sessionStorage, 'passwordUpdateStatus') ?? 0,
    ...(readJson(sessionStorage, 'watermark') === true ? { watermark: true } : {}),
  }
}

export const keepSession = ({ token, ...self }: Session) => {
  sessionStorage.removeItem('displaced')
  sessionStorage.setItem('token', token)
  for (const [key, value] of Object.entries(self)) sessionStorage.setItem(key, JSON.stringify(value))
}

/** Why the last session of this tab ended, until the next one begins; null where nothing is known. */
export const readDisplaced = (): Displaced | null => readJson<Displaced>(sessionStorage, 'displaced') ?? null
export const keepDisplaced = (displaced: Displaced) => sessionStorage.setItem('displaced', JSON.stringify(displaced))

/** Forgets the session in both stores; settings and language stay. */
export const dropSession = () => {
  for (const key of [...sessionKeys, 'keptInput']) {
    sessionStorage.removeItem(key)
    localStorage.removeItem(key)
  }
}

type Input = { userNo: string; values: Readonly<Record<string, unknown>> }
/** What was typed goes through a reload with the session of who typed it. */
export const keepInput = (values: Input['values']) => {
  const userNo = readSession()?.userInfo.userNo
  if (userNo) sessionStorage.setItem('keptInput', JSON.stringify({ userNo, values } satisfies Input))
}
/** What the same user had typed before the reload; it is given once. */
export const takeInput = (userNo: string): Input['values'] => {
  const input = readJson<Partial<Input>>(sessionStorage, 'keptInput')
  sessionStorage.removeItem('keptInput')
  return (input?.userNo === userNo && input.values) || {}
}

type ReturnTo = { path: string; userNo: string }
export const keepReturn = (to: ReturnTo) => sessionStorage.setItem('returnTo', JSON.stringify(to))
/** Where the same user was when the session ended; somebody else gets nothing. */
export const takeReturn = (userNo: string): string | null => {
  const to = readJson<ReturnTo>(sessionStorage, 'returnTo')
  sessionStorage.removeItem('returnTo')
  return to?.userNo === userNo ? to.path : null
}

export const readSettings = (): Settings => ({
  ...defaultSettings,
  ...readJson<Partial<Settings>>(localStorage, 'userSettingInfo'),
})
export const keepSettings = (settings: Settings) => localStorage.setItem('userSettingInfo', JSON.stringify(settings))

/** Browser-drawn parts and every element without a theme of its own follow the page. */
export const showTheme = ({ theme }: Pick<Settings, 'theme'>) => {
  document.documentElement.style.colorScheme = theme ?? 'light dark'
}

/** The default that the server said last, for a browser in which nobody has chosen a language. */
const keptDefault = (): Language | undefined => {
  const kept = readJson<unknown>(localStorage, 'langList')
  const list = Array.isArray(kept) ? (kept as ({ code?: string; isDefault?: boolean } | null)[]) : []
  return languageOf(list.find(one => one?.isDefault)?.code)
}

export const readLanguage = (): Language => languageOf(localStorage.getItem('language')) ?? keptDefault() ?? 'zh'
export const keepLanguage = (language: Language) => localStorage.setItem('language', language)

/** The languages that may be chosen, as the server said last; without its list, all that the interface speaks. */
export const readLangList = (): readonly Language[] => {
  const kept = readJson<unknown>(localStorage, 'langList')
  const codes = Array.isArray(kept) ? kept.map((one: { code?: unknown } | null) => one?.code) : []
  const offered = codes.filter((code): code is Language => languages.includes(code as Language))
  return offered.length ? offered : languages
}
export const keepLangList = (list: readonly LanguageRow[]) => localStorage.setItem('langList', JSON.stringify(list))

export const readSideShown = (): boolean => readJson<boolean>(localStorage, 'sideNavigationShown') ?? true
export const keepSideShown = (shown: boolean) => localStorage.setItem('sideNavigationShown', JSON.stringify(shown))

type Recent = { userNo: string; names: readonly string[] }
const recentMost = 8

/** Names of the screens that somebody opened last in this browser, the newest first. */
export const readRecent = (userNo: string): readonly string[] => {
  const recent = readJson<Partial<Recent>>(localStorage, 'recentScreens')
  return recent?.userNo === userNo && Array.isArray(recent.names) ? recent.names.map(String) : []
}
export const noteRecent = (userNo: string, name: string) => {
  const names = [name, ...readRecent(userNo).filter(one => one !== name)].slice(0, recentMost)
  localStorage.setItem('recentScreens', JSON.stringify({ userNo, names } satisfies Recent))
}
