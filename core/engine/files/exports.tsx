import { useMay } from '../../client/providers.tsx'
import type { ListState } from '../../client/url-state.ts'
import type { Listed } from '../screen.ts'
import type { DrawnColumn } from '../table/columns.ts'
import { ExportButtons } from './export-buttons.tsx'

/** What the export button of a list knows of the list as it is shown. */
export type ExportProps = {
  list: Listed
  command: NonNullable<Listed['exporting']>
  /** Those in sight. */
  columns: readonly DrawnColumn[]
  state: ListState
  /** Number of rows that the filters find; undefined while it is not counted. */
  total: number | undefined
}

/** Writing the list to a file, and the files that were written: for those who hold its permission. */
export const Exports = (p: ExportProps) => useMay().call(p.command) && <ExportButtons {...p} />
