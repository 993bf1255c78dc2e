import { type RawBuilder, sql } from 'kysely'
import { nameLists } from '../../../../core/contract/risk/name-list.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'

/** Lists that a person sees: those for all, and those of their merchants; `alias` is the list. */
export const listSeen = (session: Session, alias: string, perm = nameLists.codes.page): RawBuilder<unknown> =>
  sql`(${sql.ref(`${alias}.merchant_no`)} is null or ${scope(session, { merchant: `${alias}.merchant_no`, holder: () => sql`true`, perm })})`
