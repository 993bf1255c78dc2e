/** Tags that may stand in rich text; those in `alone` have no end. */
const allowed = new Set([
  'p',
  'br',
  'b',
  'strong',
  'i',
  'em',
  'u',
  's',
  'h3',
  'h4',
  'ul',
  'ol',
  'li',
  'blockquote',
  'a',
])
const alone = new Set(['br'])
/** What stands inside of these is no text. */
const silent = new Set([
  'script',
  'style',
  'iframe',
  'object',
  'embed',
  'template',
  'noscript',
  'svg',
  'math',
  'textarea',
  'title',
  'form',
  'select',
])

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const isCharacter = (code: number) => code > 31 && code < 0x11_00_00 && !(code >= 0xd8_00 && code <= 0xdf_ff)

const decoded = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name: string | undefined) => {
    if (name) return named[name.toLowerCase()] ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return isCharacter(code) ? String.fromCodePoint(code) : ''
  })
const escaped = (text: string): string =>
  decoded(text)
    .replace(/[&<>"']/g, letter => `&#${letter.charCodeAt(0)};`)
    .replaceAll('\u0000', '')

/** The address of a link, if it is one of the web with a lock: nothing else is followed from here. */
const addressIn = (attributes: string): string | null => {
  const found = /(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(attributes)
  const text = decoded(found?.[1] ?? found?.[2] ?? found?.[3] ?? '').trim()
  return URL.canParse(text) && /^https:\/\//i.test(text) && new URL(text).protocol === 'https:'
    ? new URL(text).href
    : null
}

const token = /<!--[\s\S]*?(?:-->|$)|<(\/?)([a-z][a-z\d]*)\b((?:"[^"]*"|'[^']*'|[^'">])*)>/gi

/**
 * Rich text as it may be shown: made anew from known tags without attributes, links of `https` apart; everything else is text or
 * nothing. What comes out is well formed, and comes out the same again.
 */
export const sanitise = (html: string): string => {
  const open: string[] = []
  let out = ''
  let silence: string | null = null
  let at = 0
  const say = (text: string) => {
    if (!silence) out += escaped(text)
  }
  for (const match of html.matchAll(token)) {
    say(html.slice(at, match.index))
    at = match.index + match[0].length
    const [, end, given = '', attributes = ''] = match
    const tag = given.toLowerCase()
    if (silence) {
      if (end && tag === silence) silence = null
    } else if (silent.has(tag)) {
      if (!end) silence = tag
    } else if (!allowed.has(tag)) {
    } else if (end) {
      const depth = open.lastIndexOf(tag)
      while (depth >= 0 && open.length > depth) out += `</${open.pop()}>`
    } else if (alone.has(tag)) {
      out += `<${tag}>`
    } else {
      const address = tag === 'a' ? addressIn(attributes) : null
      if (tag === 'a' && !address) continue
      out += address ? `<a href="${escaped(address)}">` : `<${tag}>`
      open.push(tag)
    }
  }
  say(html.slice(at))
  while (open.length) out += `</${open.pop()}>`
  return out.trim()
}

/** Whether anything is left to read. */
export const isEmptyText = (html: string): boolean => !decoded(html.replace(/<[^>]*>/g, '')).trim()
