import sanitizeHtml from 'sanitize-html'

/** Tags that may stand in rich text. */
const allowedTags = [
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
  'img',
]

/** The address of a link, if it is an encrypted one of the web: nothing else is followed from here. */
const linkTo = (href = ''): string | null => {
  const text = href.trim()
  return /^https:\/\//i.test(text) && URL.canParse(text) ? new URL(text).href : null
}

const uploadFormat = /^UP[0-9A-Z]{1,38}$/
const longestAlt = 200
const rounds = 5

const options: sanitizeHtml.IOptions = {
  allowedTags,
  allowedAttributes: { a: ['href'], img: ['data-upload', 'alt'] },
  allowedSchemes: ['https'],
  allowProtocolRelative: false,
  nestingLimit: 20,
  transformTags: {
    // A tag that is not allowed is left out, its text stays; so is a link that leads nowhere.
    a: (_, { href }): sanitizeHtml.Tag => {
      const to = linkTo(href)
      return to ? { tagName: 'a', attribs: { href: to } } : { tagName: 'none', attribs: {} }
    },
    img: (_, { 'data-upload': no = '', alt = '' }): sanitizeHtml.Tag =>
      uploadFormat.test(no)
        ? { tagName: 'img', attribs: { 'data-upload': no, alt: alt.slice(0, longestAlt) } }
        : { tagName: 'none', attribs: {} },
  },
}

/** Rich text as it may be shown: known tags, links of `https`, pictures by the number of their upload. What comes out comes out the same again. */
export const sanitise = (html: string): string => {
  // What is left of wrong nesting is read differently the next time: `<p><p>` is two paragraphs side by side.
  let text = html
  for (let round = 0; round < rounds; round++) {
    const clean = sanitizeHtml(text, options).trim()
    if (clean === text) break
    text = clean
  }
  return text
}

/** The uploads of the pictures in a sanitised text. */
export const picturesIn = (html: string): string[] => [
  ...new Set([...html.matchAll(/<img data-upload="([^"]+)"/g)].map(([, no]) => no as string)),
]

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** What is read of a sanitised text: its words without tags, a line for each block. */
export const wordsIn = (html: string): string =>
  sanitizeHtml(html.replace(/<\/(?:p|h3|h4|li|blockquote)>|<br ?\/?>/g, '\n'), { allowedTags: [] })
    .replace(/&(\w+|#39);/g, (all, name: string) => entities[name] ?? all)
    .trim()

/** Whether a text has neither words nor pictures. */
export const isEmptyText = (html: string): boolean =>
  picturesIn(html).length === 0 &&
  !sanitizeHtml(html, { allowedTags: [], allowedAttributes: {} })
    .replace(/&nbsp;|\u00a0/g, ' ')
    .trim()
