/** Whose answers a cache may share: every token of one person's access, renewed or not. */
export type Scope = { readonly id: number; userNo?: string }

const nobody: Scope = { id: 0 }
const scopes = new Map<string, Scope>()
let last = 0

/** The scope of a token; without a token, that of nobody. */
export const scopeOf = (token: string | undefined): Scope => {
  if (!token) return nobody
  const known = scopes.get(token)
  if (known) return known
  const scope = { id: ++last }
  scopes.set(token, scope)
  return scope
}

/** A renewed token stands for the same person: what was read with the old one stays good. */
export const inherit = (old: string | undefined, fresh: string) => {
  if (old && !scopes.has(fresh)) scopes.set(fresh, scopeOf(old))
}

/** Nobody holds the token any more. */
export const forget = (token: string) => void scopes.delete(token)
