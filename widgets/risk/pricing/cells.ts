import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import type { OutputOf } from '../../../core/contract/endpoint.ts'
import { pricing } from '../../../core/contract/risk/pricing.ts'
import { cellsFlaw, type PriceCell } from '../../../core/rules/risk-price.ts'

type Versions = OutputOf<typeof pricing.versions>['list']

/** Whether cells are far enough typed to be computed with. */
export const areWhole = (cells: readonly PriceCell[] | undefined): cells is readonly PriceCell[] =>
  cells !== undefined &&
  cells.length > 0 &&
  cells.every(cell => pricing.check.input.shape.cells.element.safeParse(cell).success) &&
  [null, 'validation.levelMissing'].includes(cellsFlaw(cells))

/** The versions of a grid, and the one that is looked at: the one in force, unless another one is chosen. */
export const useVersion = (pricingNo: string) => {
  const read = useRead(pricing.versions, { pricingNo } as never)
  const [versionNo, choose] = useState<string>()
  const list: Versions = read.data?.list ?? []
  const chosen =
    list.find(one => one.versionNo === versionNo) ?? list.find(one => one.versionStatus === 'effective') ?? list[0]
  return { read, list, chosen, choose, cells: chosen?.content.cells as readonly PriceCell[] | undefined }
}
