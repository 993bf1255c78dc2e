import pg from 'pg'

type Query = pg.Client['query']
export type Statement = { client: pg.Client; args: unknown[] }

const plain = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => Promise<pg.QueryResult>
const textOf = ([first]: readonly unknown[]) => String((first as { text?: string }).text ?? first)

/** What a transaction checks at its end is checked, and nothing of it remains. */
const undo = async (client: pg.Client) => {
  await plain.call(client, 'set constraints all immediate')
  return plain.call(client, 'rollback')
}

/**
 * Runs `act` with every commit undone, so that it can be run again on the same rows, and answers the statements it sent.
 * The caller learns that it committed.
 */
export const recorded = async (act: () => Promise<unknown>): Promise<Statement[]> => {
  const statements: Statement[] = []
  const spy = function (this: pg.Client, ...args: unknown[]) {
    statements.push({ client: this, args })
    return textOf(args) === 'commit'
      ? undo(this).then(result => ({ ...result, command: 'COMMIT' }))
      : plain.apply(this, args)
  }
  pg.Client.prototype.query = spy as unknown as Query
  try {
    await act()
  } finally {
    pg.Client.prototype.query = plain as unknown as Query
  }
  return statements
}

/** The statements of the work itself: what comes after the transaction that reads the session. */
export const withoutSession = (statements: readonly Statement[]): readonly Statement[] =>
  statements.slice(statements.findIndex(({ args }) => textOf(args) === 'commit') + 1)

/** Sends the same statements again with nothing around them. */
export const replayed = async (statements: readonly Statement[]): Promise<void> => {
  for (const { client, args } of statements)
    await (textOf(args) === 'commit' ? undo(client) : plain.apply(client, args))
}
