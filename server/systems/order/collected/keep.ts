import type { Application } from '../../../../core/contract/order/intake.ts'
import type { Tx } from '../../../db/database.ts'
import { newNo } from '../../../money/numbers.ts'
import type { ConsentKind } from './consent.ts'

/** Keeps what was collected with the applicant's consent, and nothing else of it. */
export const keepCollected = (tx: Tx, orderNo: string, { collected = {}, consents }: Application): void => {
  const agreed = new Set<ConsentKind>(consents.map(consent => consent.consentKind))
  const given = <T>(kind: ConsentKind, value: T | undefined): T | null => (agreed.has(kind) ? (value ?? null) : null)
  const closest = [...(given('contacts', collected.affinity) ?? [])].sort((a, b) => b.callMinutes - a.callMinutes)
  for (const [index, contact] of closest.entries())
    tx.append('orderContact', {
      contactNo: newNo('CT', tx.now),
      orderNo,
      contactSource: 'affinity',
      relation: 'other',
      ...contact,
      sort: index + 1,
    })
  const [apps, positions, operator, face] = [
    given('apps', collected.apps),
    given('location', collected.positions),
    given('operator', collected.operator),
    given('face', collected.face),
  ]
  if (apps || positions || operator || face)
    tx.append('orderCollected', {
      orderNo,
      apps,
      positions,
      sim: operator,
      faceScore: face?.faceScore ?? null,
      faceFeatures: face ? face.features.map(String) : null,
    })
  const bvn = given('credit_bureau', collected.bvn)
  if (bvn) tx.append('orderBvn', { orderNo, bvn })
}
