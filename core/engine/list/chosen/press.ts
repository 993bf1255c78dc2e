import type { Action, LeftOut } from '../../screen.ts'
import type { Row } from '../../table/columns.ts'

/** Runs an action on rows: at once, or by opening its dialog. `left` are chosen rows that it does not apply to. */
export type Press = (action: Action<Row>, rows: readonly Row[], left?: readonly LeftOut[]) => void
