import { legalCaps as caps } from '../../../../core/contract/risk/legal-cap.ts'
import { capsInForce, type LegalCap } from '../../../../core/rules/legal-cap.ts'
import { Decimal } from '../../../../core/rules/money.ts'
import { cellCost } from '../../../../core/rules/risk-price.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'
import type { Module } from '../../../module.ts'
import { legalCaps } from '../../after-loan/payout/index.ts'
import { gridsInForce } from '../pricing/index.ts'

/** A year allows at least what a month of it does. */
const yearOverMonth = async (tx: Tx, capKey: string, capValue: string): Promise<Fault | null> => {
  const other = { interest_month: 'interest_year', interest_year: 'interest_month' }[capKey]
  const cap = (await legalCaps(tx)).find(one => one.capKey === other && capsInForce([one], tx.today).length > 0)
  if (!cap) return null
  const [month, year] = capKey === 'interest_month' ? [capValue, cap.capValue] : [cap.capValue, capValue]
  return new Decimal(month).gt(year) ? new Fault('validation', 'errors.capMonthOverYear', { month, year }) : null
}

const config = serveConfig(caps, {
  prefix: 'LC',
  unique: 'capKey',
  mayChange: ({ session }) => (session.headquarters ? null : new Fault('forbidden', 'errors.headquartersOnly')),
  /** The law has it or has it not; whether it is asked is its mode. */
  fixed: ({ enabled }) => (enabled === 'enabled' ? new Fault('stateConflict', 'errors.capStays') : null),
  versions: {
    prefix: 'LV',
    holds: async (tx, { item, content }) =>
      content.capMode === 'off' ? null : yearOverMonth(tx, item.capKey as string, String(content.capValue)),
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
