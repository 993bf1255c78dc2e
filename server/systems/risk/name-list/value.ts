import { createHmac, hkdfSync } from 'node:crypto'
import type { ListDimension } from '../../../../core/rules/text/name-list.ts'
import { sealerOf } from '../../../session/seal.ts'

const purpose = 'name list'

/** How values of lists are kept: sealed, and findable by a hash that nobody computes without the key of the installation. */
export const listValues = (secretKey: Buffer) => {
  const sealer = sealerOf(secretKey, purpose)
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', `${purpose} hash`, 32))
  return {
    seal: (value: string, itemNo: string) => sealer.seal(Buffer.from(value), itemNo),
    open: (sealed: string, owner: string) => sealer.open(sealed, owner).toString(),
    hash: (dimension: ListDimension, value: string) =>
      createHmac('sha256', key).update(`${dimension}:${value}`).digest('base64url'),
  }
}
export type ListValues = ReturnType<typeof listValues>
