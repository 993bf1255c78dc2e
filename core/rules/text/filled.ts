const placeholder = /\{([^{}]*)\}/g

/** The names that a text leaves room for: `Dear {name}` has `name`. */
export const placeholdersIn = (text: string): string[] => [
  ...new Set([...text.matchAll(placeholder)].map(([, name = '']) => name.trim())),
]

/** A text with its values; a name without a value stays as it stands. */
export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(placeholder, (whole, name: string) => values[name.trim()] ?? whole)
