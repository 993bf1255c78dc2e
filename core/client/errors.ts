/** The server answered with a code other than success; `message` is its words in the caller's language. */
export class CallError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** No usable answer arrived: the network, a time-out, or an HTTP status without an envelope. */
export class TransportError extends Error {
  readonly status: number | undefined

  constructor(message: string, status?: number, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

/** The answer has not the form that the contract promises. */
export class ContractError extends Error {}

/** What a validation refusal says of each field, by its path. */
export const fieldErrors = (error: unknown): Readonly<Record<string, string>> => {
  const data = error instanceof CallError ? (error.data as { fields?: { path: string; msg: string }[] } | null) : null
  return Object.fromEntries((data?.fields ?? []).map(({ path, msg }) => [path, msg]))
}

/** The same at the fields of a form: what is wrong inside of one, at any depth, is said at it, the rest apart. */
export const errorsAt = (
  error: unknown,
  names: readonly string[],
): { fields: Readonly<Record<string, string>>; rest: readonly string[] } => {
  const placed = Object.entries(fieldErrors(error)).map(([path, message]) => {
    const name = names.find(one => path === one || path.startsWith(`${one}.`))
    return { name, message }
  })
  return {
    fields: Object.fromEntries(
      placed.flatMap(({ name, message }) => (name === undefined ? [] : [[name, message]])).reverse(),
    ),
    rest: [...new Set(placed.flatMap(({ name, message }) => (name === undefined ? [message] : [])))],
  }
}
