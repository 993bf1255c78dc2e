import type { Tied } from '../../../ui/labelled.tsx'
import type { Meta } from '../../table/columns.ts'

/** What every input is given; `meta` chooses which input is drawn. */
export type InputProps = {
  tied: Tied
  label: string
  meta: Meta
  value: unknown
  onChange: (value: unknown) => void
}
