import type { Cache } from 'swr'

const caches = new Map<string, Cache>()

/** The answers of one user, shared by all widgets of the page: key it by person and base address, not by token. */
export const cacheFor = (scope: string): Cache => {
  const cache = caches.get(scope) ?? (new Map() as Cache)
  caches.set(scope, cache)
  return cache
}

/** Forgets what a user has seen, for example when the session ends. */
export const forget = (scope: string) => {
  const cache = caches.get(scope)
  for (const key of [...(cache?.keys() ?? [])]) cache?.delete(key)
}
