import { useMay } from '../../client/providers.tsx'
import { ExportButtons } from './export-buttons.tsx'
import type { ExportProps } from './export-props.ts'

/** Writing the list to a file, and the files that were written: for those who hold its permission. */
export const Exports = (p: ExportProps) => useMay().call(p.command) && <ExportButtons {...p} />
