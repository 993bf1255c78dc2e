import { sizeOf } from '../sizes.ts'

export const seed = sizeOf('seed', 1 + Math.floor(Math.random() * 1_000_000))
/** How often the server is killed on PostgreSQL, how often with the embedded database, and how often PostgreSQL is killed. */
export const rounds = sizeOf('rounds', 10)
export const embeddedRounds = sizeOf('embedded', 3)
export const postgresRounds = sizeOf('postgres', 3)
/** Rows that are over at one midnight. */
export const expiredRows = sizeOf('rows', 12_000)

/** What repeats a run that failed. */
export const replay = `npm run kill -- --rounds ${rounds} --embedded ${embeddedRounds} --postgres ${postgresRounds} --seed ${seed}`
