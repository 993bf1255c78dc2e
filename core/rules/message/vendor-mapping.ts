/** Where the parts of a vendor's JSON stand, by what they are. */
export const vendorParts = [
  'answer_id',
  'answer_status',
  'answer_cost',
  'report_id',
  'report_status',
  'report_phone',
  'reply_id',
  'reply_from',
  'reply_text',
] as const
export type VendorPart = (typeof vendorParts)[number]

/** Why a vendor does not carry a text; `balance`, `no_route`, `sender_refused` and `vendor_error` say nothing about the number. */
export const smsFailures = [
  'invalid_phone',
  'network_optout',
  'inactive',
  'no_route',
  'balance',
  'sender_refused',
  'vendor_error',
] as const
export type SmsFailure = (typeof smsFailures)[number]

/** What a word of a vendor means: that it took a text, brought it, may be asked again, or why it did not carry it. */
export const vendorMeanings = ['accepted', 'submitted', 'delivered', 'later', ...smsFailures] as const
export type VendorMeaning = (typeof vendorMeanings)[number]

/** Places of a request: the number, the sender, the words, our number of it, and who we are. */
export const requestPlaces = ['to', 'from', 'text', 'reference', 'user'] as const
export type RequestPlace = (typeof requestPlaces)[number]

const place = /<(\w+)>/g

/** A request in JSON, each of whose places stands inside of a text, filled: no value can leave it. */
export const filledRequest = (template: string, values: Readonly<Record<RequestPlace, string>>): string =>
  template.replace(place, (_, name: string) => JSON.stringify(values[name as RequestPlace] ?? '').slice(1, -1))

/** Whether a template is JSON once it is filled, knows its places, and holds the number and the words. */
export const isRequest = (template: string): boolean => {
  const named = [...template.matchAll(place)].map(([, name]) => name)
  if (!named.every(name => (requestPlaces as readonly (string | undefined)[]).includes(name))) return false
  if (!named.includes('to') || !named.includes('text')) return false
  const mark = '"\\'
  try {
    const body: unknown = JSON.parse(
      filledRequest(template, { to: mark, from: mark, text: mark, reference: mark, user: mark }),
    )
    return typeof body === 'object' && body !== null
  } catch {
    return false
  }
}

const pathFormat = /^[A-Za-z_][\w-]*(\.([A-Za-z_][\w-]*|\d{1,2})){0,5}$/
/** Whether this leads into an answer: names and places with dots between them, `data.messages.0.id`. */
export const isPath = (path: string): boolean => pathFormat.test(path)

/** What stands at a path; undefined where nothing plain does. */
export const at = (body: unknown, path: string | undefined): string | undefined => {
  if (path === undefined) return undefined
  let found: unknown = body
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Record<string, unknown>)[name]
  }
  return typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean'
    ? String(found)
    : undefined
}
