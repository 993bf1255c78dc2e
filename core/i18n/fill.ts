/** Values for the `{name}` places of a text. */
export type Params = Readonly<Record<string, string | number>>

const isOne = (language: string, value: string) =>
  new Intl.PluralRules(language).select(Number(value.replaceAll(',', ''))) === 'one'

/** Puts values into a text: `{n}` is a value, `{n:row|rows}` the word that goes with one or with more. A place without a value stays visible. */
export const fill = (text: string, params: Params = {}, language = 'en') =>
  text.replace(/\{(\w+)(?::(.*?)\|(.*?))?\}/g, (place, name: string, one?: string, other?: string) => {
    if (!(name in params)) return place
    const value = String(params[name])
    return (one === undefined ? value : isOne(language, value) ? one : other) as string
  })
