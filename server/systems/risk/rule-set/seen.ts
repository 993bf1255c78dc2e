import { type RawBuilder, sql } from 'kysely'
import { ruleSets } from '../../../../core/contract/risk/rule-set.ts'
import { limitFor } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'

/** Rules are those of the company, and so is what they found: people who are limited to some merchants see none of them. */
export const rulesSeen = (session: Session): RawBuilder<unknown> =>
  limitFor(session, ruleSets.codes.page) === 'all' && !session.onlyMerchants ? sql`true` : sql`false`
