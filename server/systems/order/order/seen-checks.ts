import { sql } from 'kysely'
import type { OrderBasic } from '../../../../core/contract/order/order.ts'
import { metersBetween } from '../../../../core/rules/geo/distance.ts'
import { mask } from '../../../../core/rules/mask.ts'
import type { Tx } from '../../../db/database.ts'
import type { Session } from '../../../session/session.ts'
import { faceThreshold } from './face-threshold.ts'
import { type Compared, checksOf } from './order-checks.ts'
import type { Order } from './order-source.ts'

type Check = OrderBasic['checks'][number]
type Position = { positionKind: string; latitude: string; longitude: string }
type Found = { simName: string | null; bvnName: string | null; faceScore: string | null; positions: Position[] | null }

/** What a check shows that is sensitive as a whole: who may not see its kind reads the result alone. */
const kinds: Partial<Record<Check['checkKey'], string>> = {
  phone_owner: 'operator',
  bvn_name: 'bvn',
  face: 'face',
  location: 'location',
}

const placeOf = ({ latitude, longitude }: Position) => ({ latitude: Number(latitude), longitude: Number(longitude) })

const metersFromHome = (positions: readonly Position[] | null): number | null => {
  const at = (kind: string) => positions?.find(({ positionKind }) => positionKind === kind)
  const [applied, home] = [at('apply'), at('home')]
  return applied && home ? metersBetween(placeOf(applied), placeOf(home)) : null
}

/** The checks of an order as a reader may see them. */
export const seenChecks = async (
  { tx, session, order }: { tx: Tx; session: Session; order: Order },
  stated: Compared,
): Promise<Check[]> => {
  const found = await tx.one(sql<Found>`
    select k.sim ->> 'simRegisteredName' as sim_name, b.bvn_name, (100 * k.face_score)::numeric(5,1)::text as face_score, k.positions
    from loan_order o left join order_collected k using (order_no) left join order_bvn b using (order_no) where o.order_no = ${order.orderNo}`)
  const { positions, ...facts } = found
  const { threshold } = await faceThreshold(tx)
  const compared = { ...stated, ...facts, faceThreshold: threshold, metersFromHome: metersFromHome(positions) }
  return checksOf(compared, name => (session.desensitized ? mask(name) : name)).map(check => {
    const kind = kinds[check.checkKey]
    const mayKnow =
      !kind || (check.checkKey === 'phone_owner' && !facts.simName) || session.sensitive.has(`pii:reveal:${kind}`)
    return mayKnow ? check : { ...check, right: null }
  })
}
