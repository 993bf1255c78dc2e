/** Values for the `{name}` places of a text. */
export type Params = Readonly<Record<string, string | number>>

/** Puts values into a text; a place without a value stays visible. */
export const fill = (text: string, params: Params = {}) =>
  text.replace(/\{(\w+)\}/g, (place, name: string) => (name in params ? String(params[name]) : place))
