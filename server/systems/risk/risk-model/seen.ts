import { type RawBuilder, sql } from 'kysely'
import { limitFor } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'

/** Models and cut-offs are those of the company, and so are their figures: people who are limited to some merchants see none of them. */
export const seesModels = (session: Session): boolean =>
  limitFor(session, 'risk:model:page') === 'all' && !session.onlyMerchants

/** The same as a condition. */
export const modelsSeen = (session: Session): RawBuilder<unknown> => (seesModels(session) ? sql`true` : sql`false`)
