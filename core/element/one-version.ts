const mark = Symbol.for('mkopo.version')
let warned = false

/** Whether this copy of the library serves the page: the first one does; a copy of another version warns once and stays idle. */
export const isServing = (version: string): boolean => {
  const page = globalThis as { [mark]?: string }
  page[mark] ??= version
  if (page[mark] === version) return true
  if (!warned) console.warn(`Mkopo ${version} is not used: ${page[mark]} is on this page already`)
  warned = true
  return false
}
