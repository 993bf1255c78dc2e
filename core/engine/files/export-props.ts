import type { ListState } from '../../client/url-state.ts'
import type { Listed } from '../screen.ts'
import type { DrawnColumn } from '../table/columns.ts'

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
