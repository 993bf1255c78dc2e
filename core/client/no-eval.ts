import { config } from 'zod'

/** Host pages may forbid `eval`; zod would try it as soon as a schema is made, and their policy would report that. Imported first. */
config({ jitless: true })
