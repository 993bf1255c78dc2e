import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'

const key = 'FACE_THRESHOLD'
const usual = '0.80'

/** From where on two faces are taken for one person's: as a share of one, and of a hundred. */
export const faceThreshold = (tx: Tx): Promise<{ share: string; threshold: string }> =>
  tx.one(sql<{ share: string; threshold: string }>`
    select (100 * given)::numeric(5,1)::text as threshold, given::text as share from (
      select coalesce((select (config_value #>> '{}')::numeric(4,3) from business_config where config_key = ${key}), ${usual}::numeric(4,3)) as given) x`)
