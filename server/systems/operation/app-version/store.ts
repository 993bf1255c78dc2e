import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import type { DB } from '../../../db/types.gen.ts'

type Frag = RawBuilder<unknown>
/** A version as its row has it. */
export type Version = Selectable<DB['appVersion']>

/** A version within a data rule on `x`, locked. */
export const lockVersion = (tx: Tx, versionNo: string, rule: Frag): Promise<Version | undefined> =>
  tx.maybe(sql<Version>`select x.* from app_version x where x.version_no = ${versionNo} and ${rule} for update of x`)

/** Those who write versions of one app and system wait for one another: the highest code is asked and passed by one at a time. */
export const oneAtATime = (tx: Tx, appCode: string, os: string): Promise<unknown> =>
  tx.exec(sql`select pg_advisory_xact_lock(hashtext(${`versions of ${appCode} ${os}`}))`)

/** The address of a package, below the one of the server. */
export const packagePathOf = ({ versionNo, packageFileNo }: Pick<Version, 'versionNo' | 'packageFileNo'>) =>
  packageFileNo ? `/noAuth/appUpdate/package?versionNo=${encodeURIComponent(versionNo)}` : null
