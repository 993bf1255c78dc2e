import { recon } from '../../../core/contract/after-loan/reconciliation.ts'
import { listScreen } from '../../../core/engine/list/list-screen.ts'

/** What networks and banks say happened to our accounts, line by line. */
export default listScreen({
  list: recon.linePage,
  rowKey: 'lineNo',
  start: { entryTime: 'last7' },
  presets: [
    { label: 'recon.notMatched', filters: { lineStatus: ['new'] } },
    { label: 'recon.suggested', filters: { lineStatus: ['suggested'] } },
  ],
  filters: ['fundAccountNo', 'entryTime', 'serialNo', 'lineStatus', 'lineDirection', 'lineKind', 'amount'],
  columns: ['serialNo', 'accountName', 'entryTime', 'lineDirection', 'lineKind', 'amount', 'reference', 'lineStatus'],
  more: ['lineNo', 'statementDate', 'relatesTo', 'narrative'],
})
