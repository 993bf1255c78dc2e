/** What a browser calls before a text becomes markup or code of the page; `sink` is where, absent where code asks for it itself. */
export type TextRules = {
  createHTML: (text: string, type?: string, sink?: string) => string | null
  createScriptURL: (text: string) => string | null
}

const inert = 'DOMParser parseFromString'

/**
 * The only ways for texts into the page. Markup is parsed into documents apart, which run nothing, and is drawn from known tags; style
 * sheets of libraries, which hold no tag, pass. Everything else is refused: markup that is set as such, code from other addresses, and
 * code as text.
 */
export const textRules = (origin: string): TextRules => ({
  createHTML: (text, _type, sink) => (sink === undefined || sink === inert || !text.includes('<') ? text : null),
  createScriptURL: text => {
    const address = new URL(text, origin)
    return address.origin === origin && ['https:', 'http:', 'blob:'].includes(address.protocol) ? text : null
  },
})

type Factory = { createPolicy: (name: string, rules: TextRules) => unknown }

/** Puts the rules in force; what is refused is reported on the console by the browser. Browsers without Trusted Types go on without. */
export const guardTexts = (): void => {
  const { trustedTypes } = window as { trustedTypes?: Factory }
  trustedTypes?.createPolicy('default', textRules(location.origin))
}
