import type { ConfigRow } from '../../core/contract/config.ts'
import { unrenewed, unrenewedRules } from '../../core/contract/marketing/unrenewed.ts'
import { configScreen } from '../../core/engine/config/config-screen.tsx'
import { formatMoney } from '../../core/rules/amount.ts'
import { Runs, Week } from './unrenewed/tabs.tsx'

type Row = ConfigRow<typeof unrenewedRules>

/** How many a day get which texts, and what that costs, before a rule is in force. */
const on = ([row]: readonly Row[]) => {
  const { texts = '', customersADay = 0, costADay = null, textTime = '', configName = '' } = row ?? {}
  const params = { configName, texts, textTime, n: customersADay }
  return costADay === null
    ? { key: 'unrenewed.confirmEnable' as const, params }
    : { key: 'unrenewed.confirmEnableCost' as const, params: { ...params, cost: formatMoney(costADay) } }
}

/** Marketing staff set once which customers, who repaid and did not borrow again, get which text on which day. */
export default configScreen({
  config: unrenewedRules,
  filters: ['configName', 'merchantNo', 'templateNo', 'loanKind', 'updatedTime'],
  columns: [
    'configNo',
    'configName',
    'merchants',
    'loanKind',
    'dayOffsets',
    'texts',
    'textTime',
    'perCustomerMax',
    'customersADay',
    'lastRunDate',
    'lastSent',
    'borrowedAgain',
    { id: 'borrowedShare', cell: (row: Row) => (row.borrowedShare === null ? '–' : `${row.borrowedShare} %`) },
    'effectiveTime',
  ],
  more: ['costADay', 'maxOverdueDays'],
  settings: [
    ...(['configName', 'merchants', 'loanKind', 'memberLevels', 'dayOffsets', 'texts', 'maxOverdueDays'] as const),
    ...(['perCustomerMax', 'textTime', 'effectiveTime'] as const),
  ],
  confirm: { enable: on, disable: 'unrenewed.confirmDisable', delete: 'unrenewed.confirmDelete' },
  tabs: [
    { name: 'week', label: 'unrenewed.week', body: row => <Week row={row} /> },
    { name: 'runs', label: 'unrenewed.runs', body: row => <Runs configNo={row.configNo} /> },
  ],
  also: [unrenewed.preview, unrenewed.runs],
})
