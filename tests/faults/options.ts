/** How much is done, and from which seed. `npm run kill` sets it; what runs with all tests is small. */
const { env } = process
export const seed = Number(env.KILL_SEED ?? 1 + Math.floor(Math.random() * 1_000_000))
export const rounds = Number(env.KILL_ROUNDS ?? 16)
export const embeddedRounds = Number(env.KILL_EMBEDDED ?? 4)
export const postgresRounds = Number(env.KILL_POSTGRES ?? 3)

/** What repeats a run that failed. */
export const replay = `npm run kill -- --rounds ${rounds} --embedded ${embeddedRounds} --postgres ${postgresRounds} --seed ${seed}`

/** Rows that are over at one midnight. */
export const expiredRows = Number(env.EXPIRED_ROWS ?? 12_000)
