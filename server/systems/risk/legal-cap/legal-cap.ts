import { legalCaps as caps } from '../../../../core/contract/risk/legal-cap.ts'
import type { LegalCap } from '../../../../core/rules/legal-cap.ts'
import { cellCost } from '../../../../core/rules/risk-price.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import { Fault } from '../../../http/fault.ts'
import type { Module } from '../../../module.ts'
import { gridsInForce } from '../pricing/index.ts'

const config = serveConfig(caps, {
  prefix: 'LC',
  unique: 'capKey',
  mayChange: ({ session }) => (session.headquarters ? null : new Fault('forbidden', 'errors.headquartersOnly')),
  /** The law has it or has it not; whether it is asked is its mode. */
  fixed: ({ enabled }) => (enabled === 'enabled' ? new Fault('stateConflict', 'errors.capStays') : null),
  versions: {
    prefix: 'LV',
    effect: async (tx, { item, content }) => {
      const cap = { ...content, capKey: item.capKey, effectiveFrom: tx.today } as LegalCap
      const counts = (await gridsInForce(tx)).map(
        grid => grid.cells.filter(cell => cellCost(grid.terms, cell, [cap], tx.today).verdict === 'over').length,
      )
      return { cells: counts.reduce((a, b) => a + b, 0), grids: counts.filter(Boolean).length }
    },
  },
})

/** Ceilings of the law, kept by compliance. */
export const legalCapModule = (): Module => config
