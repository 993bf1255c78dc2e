import { z } from 'zod'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { noun } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { capKeys } from './cap-key.ts'

const modes = dictionary('CAP_MODE', ['off', 'warn', 'enforce'])
const bases = dictionary('CAP_BASE', ['principal', 'advanced'])
const treatments = dictionary('FEE_TREATMENT', ['interestOnly', 'allIn'])

const form = {
  capValue: field.rate(),
  capBase: field.dict(bases),
  feeTreatment: field.dict(treatments),
  capMode: field.dict(modes),
  legalSource: field.longText(500),
}

/** A cap is at most ten times the principal, and no finer than rates are. */
const flaw = ({ capValue }: Readonly<Record<string, unknown>>): Flaw | null =>
  /^(1000(\.0{1,4})?|\d{1,3}(\.\d{1,4})?)$/.test(String(capValue ?? ''))
    ? null
    : { path: 'capValue', message: 'validation.capValue' }

/** Ceilings of the law on what a loan may cost, as dated. */
export const legalCaps = config({
  name: 'legalCap',
  path: '/price/legalCap',
  area: 'risk:legalCap',
  table: 'legal_cap',
  key: 'capNo',
  row: { capKey: field.dict(capKeys) },
  form: {},
  create: { capKey: field.dict(capKeys) },
  versions: {
    form,
    flaw,
    effect: {
      /** Prices in force that the version would forbid, and of how many grids. */
      cells: field.int(),
      grids: field.int(),
    },
  },
  filters: {
    capKey: z.array(field.dict(capKeys)).optional(),
    capMode: z.array(field.dict(modes)).optional(),
  },
  sort: ['capKey', 'effectiveTime'],
  defaultSort: 'capKey',
})

/** Calls of legal caps. */
export const legalCap = noun('risk/legal-cap', { ...legalCaps.calls })
